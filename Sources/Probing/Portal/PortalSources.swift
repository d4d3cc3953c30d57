internal import Connectivity
internal import EventLoop
internal import Netlink
internal import Reachability

/// Where networks tell the address of their portal's API (RFC 8910): in router advertisements, which the kernel passes on
/// where it handles them itself, and in the leases of DHCP clients, which keep them in files. Where the configuration names
/// one, that one holds.
final class PortalSources {
    /// What one of them told: an address, or nil where it is told no more.
    struct News: Equatable {
        let index: UInt32
        let api: String?
    }

    private var socket: NotificationSocket
    /// Nil where the user has no inotify instance left.
    private var files: LeaseFiles?
    private let loop: EventLoop
    private var watches: [Watch] = []
    private var path = Path.unknown
    /// What the configuration says, by the interface's name.
    private var configured: [String: String]
    /// What was told of leases and of the configuration, by the interface's index.
    private var settled: [UInt32: String] = [:]

    /// The options of routers are few and short.
    private static let receiveBufferSize = 64 << 10

    init(
        loop: EventLoop, folders: [LeaseFolder] = LeaseFolder.system, configured: [String: String] = [:]
    ) throws(NetlinkError) {
        self.configured = configured
        self.loop = loop
        socket = try NotificationSocket(groups: .neighbourDiscoveryOption, receiveBufferSize: Self.receiveBufferSize)
        files = try? LeaseFiles(folders)
    }

    /// Calls on the loop's thread whenever there may be something to ``drain()``.
    func start(_ handler: @escaping @Sendable () -> Void) {
        let files = files?.descriptor
        for descriptor in [socket.descriptor] + (files.map { [$0] } ?? []) {
            if let watch = try? loop.watch(descriptor, for: .readable, handler: { _ in handler() }) {
                watches.append(watch)
            }
        }
    }

    func stop() {
        watches.forEach(loop.end)
        watches = []
    }

    /// Of a monitor that was let go without a stop.
    deinit {
        stop()
    }

    /// What routers have advertised, and clients have written, since the last call.
    func drain() -> [News] {
        files?.update()
        return changes() + advertised()
    }

    /// What the leases say of the networks of another path that they have not said before. It looks at no file.
    func follow(_ path: Path) -> [News] {
        self.path = path
        return changes()
    }

    /// Takes another configuration's, and says what changes with it.
    func use(_ configured: [String: String]) -> [News] {
        self.configured = configured
        return changes()
    }

    private func advertised() -> [News] {
        var news: [News] = []
        _ = socket.drain { notification in
            guard case .userOption(let message) = notification, case .captivePortal(let api) = message.option else {
                return
            }
            // RFC 8910, section 3: where they differ, one of them has to go first, always the same.
            let told = CaptivePortal.isAddress(api) ? api : nil
            news.append(News(index: message.index, api: self.settled[message.index] ?? told))
        }
        return news
    }

    private func changes() -> [News] {
        // Any host on the link can send an advertisement or a lease: what is no address is taken for none.
        var apis = files?.apis(on: path).filter { CaptivePortal.isAddress($0.value) } ?? [:]
        for interface in path.interfaces where interface.hasCarrier {
            if let api = configured[interface.name] { apis[interface.index] = api }
        }
        guard !apis.isEmpty || !settled.isEmpty else { return [] }
        let changed = path.interfaces.filter { $0.hasCarrier && apis[$0.index] != settled[$0.index] }
        // Those that are gone, or have lost their carrier, are forgotten without a word: all that was known of them is.
        settled = apis
        return changed.map { News(index: $0.index, api: apis[$0.index]) }
    }
}
