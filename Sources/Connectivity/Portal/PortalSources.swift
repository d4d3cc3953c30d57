internal import EventLoop
internal import FoundationEssentials
internal import Netlink
internal import Reachability

/// Where networks tell the address of their portal's API (RFC 8910): in router advertisements, which the kernel passes on
/// where it handles them itself, and, where systemd-networkd does (from version 254 on), in its state of a link, which
/// DHCP's option 114 leads to as well.
final class PortalSources {
    /// What one of them told: an address, or nil where it is told no more.
    struct News {
        let index: UInt32
        let api: String?
    }

    private var socket: NotificationSocket
    private let loop: EventLoop
    private var watch: Watch?
    private let folder: String
    private var ofManager: [UInt32: String] = [:]

    /// The options of routers are few and short.
    private static let receiveBufferSize = 64 << 10

    init(loop: EventLoop, folder: String = LinkState.folder) throws(NetlinkError) {
        self.loop = loop
        self.folder = folder
        socket = try NotificationSocket(groups: .neighbourDiscoveryOption, receiveBufferSize: Self.receiveBufferSize)
    }

    /// Calls on the loop's thread whenever there may be something to ``drain()``.
    func start(_ handler: @escaping @Sendable () -> Void) {
        watch = try? loop.watch(socket.descriptor, for: .readable) { _ in handler() }
    }

    func stop() {
        if let watch = watch.take() { loop.end(watch) }
    }

    /// What routers have advertised since the last call.
    func drain() -> [News] {
        var news: [News] = []
        _ = socket.drain { notification in
            guard case .userOption(let message) = notification, case .captivePortal(let api) = message.option else {
                return
            }
            news.append(News(index: message.index, api: Self.checked(api)))
        }
        return news
    }

    /// What the manager of each link has found out that it had not before.
    func changes(on path: Path) -> [News] {
        path.interfaces.compactMap { interface in
            let api = LinkState(of: interface.index, in: folder)?.captivePortal.flatMap(Self.checked)
            guard api != ofManager[interface.index] else { return nil }
            ofManager[interface.index] = api
            return News(index: interface.index, api: api)
        }
    }

    /// Anybody on the link can send an advertisement: what is no address is taken for none.
    private static func checked(_ api: String) -> String? {
        let isAddress = api.hasPrefix("https://") || api == CaptivePortal.unrestricted
        return isAddress && api.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? api : nil
    }
}
