import Foundation
import Netwatch

/// Ten thousand probes bound to the spare uplink, where no rule leads there: how many leave by it, counted as packets on
/// each link, and the same as a user without any capability.
struct BoundProbes {
    var count = 10_000

    private static let address = "10.99.0.1"

    func measure() throws -> [Figure] {
        let uplinks = try Uplinks()
        let server = try FarServer(behind: uplinks, at: Self.address)
        defer { withExtendedLifetime(server) {} }
        // What the kernel says by itself to its neighbours would be counted too.
        try command("sh", "-c", "for link in w0 w1; do echo 1 > /proc/sys/net/ipv6/conf/$link/disable_ipv6; done")
        return try run([])
            + run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all"])
    }

    private func run(_ user: [String]) throws -> [Figure] {
        let before = try (best: Packets(of: "w0"), spare: Packets(of: "w1"))
        let start = ContinuousClock.now
        let text = try command(
            user + [CommandLine.arguments[0], Self.subcommand, "w1", "http://\(Self.address)/", "\(count)"])
        let seconds = start.duration(to: .now) / .seconds(1)
        let after = try (best: Packets(of: "w0"), spare: Packets(of: "w1"))
        guard let good = Int(text.trimmed) else { throw BenchmarkError.unexpected(text) }
        let name = "\(count) probes bound to the spare" + (user.isEmpty ? "" : ", as nobody")
        return [
            Figure(name, "not answered", Double(count - good), "probes").aiming(atMost: 0),
            Figure(name, "left by the other uplink", Double(after.best.sent - before.best.sent), "packets").aiming(
                atMost: 0),
            Figure(name, "left by the spare", Double(after.spare.sent - before.spare.sent), "packets"),
            Figure(name, "took", seconds, "s"),
        ]
    }

    // MARK: In a process of its own, as the user that runs it

    static let subcommand = "--bound-probes"

    /// `--bound-probes INTERFACE URL COUNT`: probes until so many were answered, and prints how many were.
    static func probe(_ arguments: [String]) async throws {
        guard arguments.count == 3, let count = UInt64(arguments[2]) else {
            throw BenchmarkError.unexpected("\(arguments)")
        }
        var configuration = ConnectivityConfiguration(targets: try (0..<50).map { try Target("\(arguments[1])\($0)") })
        for index in configuration.targets.indices { configuration.targets[index].interface = arguments[0] }
        configuration.interval = .milliseconds(20)
        let monitor = ConnectivityMonitor(configuration: configuration)
        try await monitor.start()
        let end = ContinuousClock.now + .seconds(120)
        while monitor.statistics.results.values.reduce(0, +) < count, ContinuousClock.now < end { usleep(1000) }
        await monitor.stop()
        let results = monitor.statistics.results
        // None but successes are to be among those that ended first, so one failure counts against all.
        let failed = results.values.reduce(0, +) - results[.success, default: 0]
        guard failed == 0 else { throw BenchmarkError.unexpected("\(failed) probes failed: \(results)") }
        print(min(count, results[.success, default: 0]))
    }
}

/// What a link has sent.
private struct Packets {
    var sent: Int

    init(of link: String) throws {
        let text = try String(contentsOfFile: "/sys/class/net/\(link)/statistics/tx_packets", encoding: .utf8)
        guard let sent = Int(text.trimmed) else { throw BenchmarkError.unexpected(text) }
        self.sent = sent
    }
}
