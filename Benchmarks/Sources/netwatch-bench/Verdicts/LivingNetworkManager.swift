import Foundation

/// NetworkManager as Debian has it, with its own message bus, on the uplink `w0`. It ends with the last reference to it.
final class LivingNetworkManager {
    private let bus: Program
    private let daemon: Program
    private let folder: URL

    /// Not among the packages that are installed for the benchmarks: on a host that it does not manage yet, it would.
    static var isInstalled: Bool {
        ["/usr/sbin/NetworkManager", "/usr/bin/nmcli", "/usr/bin/dbus-daemon"].allSatisfy(
            FileManager.default.isExecutableFile)
    }

    /// It checks by asking for a page that is to say `success`.
    init(checking url: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "networkmanager-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let address = "unix:path=\(folder.path)/bus"
        try Self.busConfiguration(address).write(
            to: folder.appending(path: "bus.conf"), atomically: false, encoding: .utf8)
        try Self.configuration(url).write(to: folder.appending(path: "main.conf"), atomically: false, encoding: .utf8)
        try Self.profile.write(to: folder.appending(path: "w0.nmconnection"), atomically: false, encoding: .utf8)
        bus = try Program(
            ["bash", "-c", "exec dbus-daemon --config-file=\"$0/bus.conf\" --nofork 2>\"$0/bus.log\"", folder.path],
            name: "dbus-daemon")
        for _ in 0..<1000 where access("\(folder.path)/bus", F_OK) != 0 { usleep(5_000) }
        // Its own folders are of this run only; and where /sys cannot be written, it does without udev.
        let places = """
            for place in /run /var/lib/NetworkManager /etc/NetworkManager; do mount -t tmpfs tmpfs $place; done
            mkdir -m 700 /etc/NetworkManager/system-connections
            install -m 600 /dev/fd/3 /etc/NetworkManager/system-connections/w0.nmconnection 3<"$1/w0.nmconnection"
            mount --bind /sys /sys
            mount -o remount,bind,ro /sys
            exec env DBUS_SYSTEM_BUS_ADDRESS="$2" NetworkManager --no-daemon --config "$1/main.conf" 2>"$1/log"
            """
        daemon = try Program(
            ["unshare", "--mount", "bash", "-c", places, "-", folder.path, address], name: "NetworkManager")
        try waitUntilActive()
    }

    deinit {
        daemon.end()
        bus.end()
        try? FileManager.default.removeItem(at: folder)
    }

    /// What it says after a check of now: none, limited, portal, full or unknown.
    func check() throws -> String {
        try ask("networking", "connectivity", "check").trimmed
    }

    private func ask(_ arguments: String...) throws -> String {
        try command(["env", "DBUS_SYSTEM_BUS_ADDRESS=unix:path=\(folder.path)/bus", "nmcli"] + arguments)
    }

    private func waitUntilActive() throws {
        for _ in 0..<200 {
            if let state = try? ask("--get-values", "GENERAL.STATE", "device", "show", "w0"), state.hasPrefix("100") {
                return
            }
            usleep(100_000)
        }
        throw BenchmarkError.silent("NetworkManager", waitedFor: "the connection of w0")
    }

    private static func busConfiguration(_ address: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>system</type><listen>\(address)</listen><auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
          </policy>
        </busconfig>
        """
    }

    private static func configuration(_ url: String) -> String {
        """
        [main]
        plugins=keyfile
        no-auto-default=*
        dns=none
        rc-manager=unmanaged
        auth-polkit=false
        [connectivity]
        enabled=true
        uri=\(url)
        response=success
        interval=3600
        """
    }

    private static let profile = """
        [connection]
        id=w0
        type=ethernet
        interface-name=w0
        [ipv4]
        method=manual
        address1=10.1.0.1/24,10.1.0.2
        [ipv6]
        method=disabled
        """
}
