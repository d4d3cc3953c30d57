import CLinux
import Glibc
import Netlink
import NetworkAddress
import SystemPackage

/// The files that name the servers in use, and the inotify descriptor that tells when one of them changes.
///
/// Programs replace such a file by renaming, and it is often a link into `/run`, so that the folders are watched: that of
/// the file and that of what it leads to. It closes its descriptor when it goes.
struct NameServerFiles: ~Copyable {
    /// What systemd-resolved's own address stands for.
    static let resolvedList = "/run/systemd/resolve/resolv.conf"

    let descriptor: CInt
    private let path: String

    init(path: String) throws(NetlinkError) {
        self.path = path
        descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        guard descriptor >= 0 else { throw .socket(call: "inotify_init1", Errno(rawValue: errno)) }
        watchFolders()
    }

    deinit {
        close(descriptor)
    }

    /// The servers that the files name now.
    func read() -> [IPAddress] {
        let servers = ResolverConfiguration.nameServers(TextFile.read(path) ?? "")
        guard servers.allSatisfy(\.isLoopback), let list = TextFile.read(Self.resolvedList) else { return servers }
        let behind = ResolverConfiguration.nameServers(list)
        return behind.isEmpty ? servers : behind
    }

    /// Takes what inotify has told, so that it is not told again, and watches what the files lead to by now.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while Glibc.read(descriptor, &buffer, buffer.count) > 0 {}
        watchFolders()
    }

    /// Watching a folder twice is watching it once. One that is not there yet is watched when it is.
    private func watchFolders() {
        let events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_ONLYDIR
        for folder in Set([path, target, Self.resolvedList].map(\.folder)) {
            inotify_add_watch(descriptor, folder, UInt32(events))
        }
    }

    private var target: String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

extension String {
    fileprivate var folder: String {
        lastIndex(of: "/").map { String(self[..<$0]) } ?? "."
    }
}
