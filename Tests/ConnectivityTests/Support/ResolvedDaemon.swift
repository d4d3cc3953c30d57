import Foundation
import TestSupport

/// A systemd-resolved of a test's own, in a network namespace, with a `/run` and the users that it needs.
///
/// Debian's package takes the host's name resolution over when it is installed, so that the tests do not ask for it.
/// Unpacked below `SYSTEMD_RESOLVED_ROOT` it does as well.
final class ResolvedDaemon: Sendable {
    private let process: BackgroundProcess

    private static let root = ProcessInfo.processInfo.environment["SYSTEMD_RESOLVED_ROOT"] ?? ""

    private static var program: String { root + "/lib/systemd/systemd-resolved" }

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// Where it listens: in its own file system, which the kernel shows.
    var socket: String { "/proc/\(process.processID)/root/run/systemd/resolve/io.systemd.Resolve" }

    /// Starts it and returns once it listens. It knows one link's server, as if systemd-networkd had told it.
    init(in namespace: TestNamespace, link: String, nameServer: String) throws {
        let index =
            try namespace.run("ip", "-o", "link", "show", link).split(separator: ":").first.map(String.init) ?? ""
        let script = """
            mount -t tmpfs none /run && mkdir -p /run/systemd/netif/links /run/systemd/resolve
            for file in passwd group; do
                { cat /etc/$file; grep -q ^systemd-resolve: /etc/$file || echo systemd-resolve:x:997:997::/:/bin/false; } > /run/$file
                mount --bind /run/$file /etc/$file
            done
            chown systemd-resolve: /run/systemd/resolve
            printf 'ADMIN_STATE=configured\\nOPER_STATE=routable\\nDNS=\(nameServer)\\n' > /run/systemd/netif/links/\(index)
            printf 'OPER_STATE=routable\\n' > /run/systemd/netif/state
            export LD_LIBRARY_PATH=\(Self.root)/usr/lib/x86_64-linux-gnu/systemd SYSTEMD_LOG_LEVEL=err
            exec \(Self.program)
            """
        process = try namespace.start("unshare", "--mount", "sh", "-c", script)
        guard process.becomesReady({ FileManager.default.fileExists(atPath: socket) }) else {
            throw NotStarted(description: "systemd-resolved did not start: \(process.output)")
        }
    }

    struct NotStarted: Error, CustomStringConvertible {
        let description: String
    }
}
