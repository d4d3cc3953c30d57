import CLinux
import Glibc
import NetworkAddress

/// The files that name the servers in use, and the inotify descriptor that tells when one of them changes.
///
/// Programs replace such a file by renaming, and it is often a link into `/run`, so that the folders are watched: that of
/// the file and that of what it leads to. Where the user has no inotify instance left (`fs.inotify.max_user_instances`),
/// the files are read and not watched. It closes its descriptor when it goes.
struct NameServerFiles: ~Copyable {
    /// What systemd-resolved's own address stands for.
    static let resolvedList = "/run/systemd/resolve/resolv.conf"

    /// Readable when a file has changed; nil where the files cannot be watched.
    let descriptor: CInt?
    private let path: String

    init(path: String) {
        self.path = path
        let descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        self.descriptor = descriptor < 0 ? nil : descriptor
        watchFolders()
    }

    deinit {
        if let descriptor { close(descriptor) }
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
        guard let descriptor else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        while Glibc.read(descriptor, &buffer, buffer.count) > 0 {}
        watchFolders()
    }

    /// Watching a folder twice is watching it once. One that is not there yet is watched when it is.
    private func watchFolders() {
        guard let descriptor else { return }
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
