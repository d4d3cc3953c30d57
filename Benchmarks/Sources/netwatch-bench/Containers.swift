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
        let ours = try Program([program, "--json", "--no-probe"], name: "netwatch")
        let theirs = try Program(["ip", "monitor", "link", "address", "route"], keepsLines: false)
        _ = try ours.line("the snapshot") { _ in true }
        ours.quieten()
        let start = (ours: try Usage(of: ours).seconds, theirs: try Usage(of: theirs).seconds)
        let seen = ours.lineCount
        for _ in 0..<waves { try command("ip", "-batch", "-", input: batch) }
        theirs.quieten(for: .seconds(1))
        let name = "\(waves * wave) containers come and go"
        return [
            Figure(name, "events", Double(ours.lineCount - seen), "").aiming(atMost: 0),
            Figure(name, "processor time", try Usage(of: ours).seconds - start.ours, "s")
                .beside("ip monitor", try Usage(of: theirs).seconds - start.theirs),
        ]
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
