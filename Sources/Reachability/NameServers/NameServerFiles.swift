import Glibc
import NetworkAddress
import SystemPackage

/// The files that name the servers in use, and the inotify descriptor that tells when one of them changes.
///
/// Programs replace such a file by renaming, and it is often a link into a folder that a service makes when it starts, so
/// that all folders on the way to it are watched, too (``FileTrail``). Where the user has no inotify instance left
/// (`fs.inotify.max_user_instances`), the files are read and not watched. It closes its descriptor when it goes.
struct NameServerFiles: ~Copyable {
    /// What systemd-resolved's own address stands for.
    static let resolvedList = "/run/systemd/resolve/resolv.conf"

    /// Readable when a file has changed; nil where the files cannot be watched.
    let descriptor: CInt?
    private let path: String
    /// The folders and files watched, and by what number the kernel tells of each.
    private var watched: [String: CInt] = [:]

    init(path: String) {
        self.path = path
        let descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        self.descriptor = descriptor < 0 ? nil : descriptor
        watchTrail()
    }

    deinit {
        if let descriptor { close(descriptor) }
    }

    /// The servers that the files name now; nil where that cannot be told, for want of descriptors or memory.
    func read() -> [IPAddress]? {
        do throws(Errno) { return try servers() } catch { return nil }
    }

    private func servers() throws(Errno) -> [IPAddress] {
        let servers = ResolvConf.nameServers(try TextFile.readUnlessShort(path) ?? "")
        // Without a file of its own a host may ask systemd-resolved in another way (nss-resolve(8)).
        guard servers.isEmpty || Self.areStubs(servers),
            let list = try TextFile.readUnlessShort(Self.resolvedList)
        else { return servers }
        let behind = ResolvConf.nameServers(list)
        return behind.isEmpty ? servers : behind
    }

    /// Whether only systemd-resolved's own addresses are named, behind which other servers are (systemd-resolved.service(8)).
    /// A server of another program's on this host is the one in use.
    static func areStubs(_ servers: [IPAddress]) -> Bool {
        !servers.isEmpty && servers.allSatisfy { stubs.contains($0) }
    }

    private static let stubs = ["127.0.0.53", "127.0.0.54"].compactMap { IPAddress($0) }

    /// Takes what inotify has told, so that it is not told again, and watches what the files lead to by now.
    mutating func drain() {
        guard let descriptor else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        while unsafe Glibc.read(descriptor, &buffer, buffer.count) > 0 {}
        watchTrail()
    }

    /// How often the path is followed again while it changes meanwhile. Whatever changes after that is told.
    private static let attempts = 8

    /// Watches the files and the folders on the way to them. What is made between a look and the watch is found by the
    /// next look.
    private mutating func watchTrail() {
        guard let descriptor else { return }
        for _ in 0..<Self.attempts {
            let trail = FileTrail([path, Self.resolvedList])
            var watching: [String: CInt] = [:]
            for (place, events) in trail.places {
                let number = unsafe inotify_add_watch(descriptor, place, events)
                if number >= 0 { watching[place] = number }
            }
            let superfluous = Set(watched.values).subtracting(watching.values)
            for number in superfluous { inotify_rm_watch(descriptor, number) }
            guard watching != watched else { return }
            watched = watching
        }
    }
}
