import TestSupport
import Testing

extension TestNamespace {
    /// Leaves no local port for a datagram, until the process that has them ends.
    func takeAllPorts() throws -> BackgroundProcess {
        try run("sysctl", "-qw", "net.ipv4.ip_local_port_range=40000 40001")
        let holder = try start(
            "python3", "-u", "-c",
            """
            import socket, time
            kept = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
            for number, one in enumerate(kept): one.bind(("0.0.0.0", 40000 + number))
            print("ready")
            time.sleep(600)
            """)
        try #require(holder.becomesReady { !holder.output.isEmpty })
        return holder
    }
}
