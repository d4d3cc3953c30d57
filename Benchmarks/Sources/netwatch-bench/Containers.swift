import Foundation

/// A host on which containers start and stop: how many events that makes, and what it costs.
struct Containers {
    var program: String
    var waves = 10
    var wave = 100

    func measure() throws -> [Figure] {
        let uplinks = try Uplinks()
        defer { withExtendedLifetime(uplinks) {} }
        try command("ip", "link", "add", "docker0", "type", "bridge")
        try command("ip", "address", "add", "172.17.0.1/16", "dev", "docker0")
        try command("ip", "link", "set", "docker0", "up")
        defer { _ = try? command("ip", "link", "delete", "docker0") }
        return try BesideMonitor(program: program).figures(of: "\(waves * wave) containers come and go") {
            for _ in 0..<waves { try command("ip", "-batch", "-", input: batch) }
        }
    }

    /// One wave; deleted together, because one by one each deletion waits for all processors.
    private var batch: String {
        let started = (1...wave).map {
            """
            link add veth\($0) group 7 type veth peer name eth\($0)
            link set veth\($0) master docker0
            link set veth\($0) up
            link set eth\($0) up

            """
        }
        return started.joined() + "link delete group 7\n"
    }
}
