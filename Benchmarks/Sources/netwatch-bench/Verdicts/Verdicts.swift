import Foundation
import Netwatch

/// What is made of a server's behaviours, one after the other and in random sequences, beside a living NetworkManager on the
/// same link that asks the same server.
struct Verdicts {
    /// Of four behaviours each.
    var sequences = 1_000
    /// Of these, how many NetworkManager is led through too; it takes ten times as long.
    var sharedSequences = 50

    func measure() async throws -> [Figure] {
        let uplinks = try Uplinks()
        let server = try AnsweringServer(behind: uplinks)
        let url = "http://\(AnsweringServer.address)/check"
        let theirs = try LivingNetworkManager(checking: url)
        let ours = try await CheckedMonitor(checking: url)
        defer { withExtendedLifetime((uplinks, theirs)) {} }

        let behaviours = try Behaviour.all()
        let single = try await compare(behaviours + Behaviour.slow, server, ours, theirs) { behaviour, ours, theirs in
            print("  \(behaviour.name): right is \(behaviour.verdict), netwatch \(ours), NetworkManager \(theirs)")
        }
        var generator = SystemRandomNumberGenerator()
        let random = (0..<sequences * 4).map { _ in behaviours.randomElement(using: &generator) ?? behaviours[0] }
        let shared = try await compare(Array(random.prefix(sharedSequences * 4)), server, ours, theirs) { _, _, _ in }
        let rest = try await compare(Array(random.dropFirst(sharedSequences * 4)), server, ours, nil) { _, _, _ in }
        await ours.stop()
        return [
            Figure("\(single.count) behaviours of a server", "wrong verdicts", Double(single.ours), "")
                .beside("NetworkManager", Double(single.theirs)).aiming(atMost: 0),
            Figure("\(sequences) random sequences of 4", "wrong verdicts", Double(shared.ours + rest.ours), "")
                .aiming(atMost: 0),
            Figure("the first \(sharedSequences) of them", "wrong verdicts", Double(shared.ours), "")
                .beside("NetworkManager", Double(shared.theirs)),
            Figure("\(single.count) behaviours of a server", "longest verdict", single.slowest.ours / 1e6, "ms")
                .beside("NetworkManager", single.slowest.theirs / 1e6),
        ]
    }

    private struct Outcome {
        var count = 0
        var ours = 0
        var theirs = 0
        var slowest: (ours: Double, theirs: Double) = (0, 0)
    }

    private func compare(
        _ behaviours: [Behaviour], _ server: AnsweringServer, _ ours: CheckedMonitor, _ theirs: LivingNetworkManager?,
        differing: (Behaviour, String, String) -> Void
    ) async throws -> Outcome {
        var outcome = Outcome(count: behaviours.count)
        for behaviour in behaviours {
            try server.behave(behaviour.action)
            let (our, ourTime) = try await timed { try await ours.check() }
            outcome.ours += behaviour.verdict.accepts(our) ? 0 : 1
            outcome.slowest.ours = max(outcome.slowest.ours, ourTime)
            let (their, theirTime) = try await timed { try theirs?.check() ?? behaviour.verdict.rawValue }
            outcome.theirs += behaviour.verdict.accepts(their) ? 0 : 1
            outcome.slowest.theirs = max(outcome.slowest.theirs, theirTime)
            if !behaviour.verdict.accepts(our) || !behaviour.verdict.accepts(their) { differing(behaviour, our, their) }
        }
        return outcome
    }

    private func timed(_ work: () async throws -> String) async throws -> (String, nanoseconds: Double) {
        let start = ContinuousClock.now
        let word = try await work()
        return (word, start.duration(to: .now) / .nanoseconds(1))
    }
}

extension Behaviour.Verdict {
    /// Whether a monitor's word says the same. All but full and portal leave open what there is.
    fileprivate func accepts(_ word: String) -> Bool {
        switch self {
        case .online: word == "full"
        case .portal: word.hasPrefix("portal")
        case .inconclusive: word.hasPrefix("limited") || word.hasPrefix("local") || word == "inconclusive"
        }
    }
}

/// A monitor that says what it makes of a server after each check.
private struct CheckedMonitor {
    private let monitor: ConnectivityMonitor

    init(checking url: String) async throws {
        let target = try Target(url, role: .target, expectation: .body("success"))
        var configuration = ConnectivityConfiguration(targets: [target])
        configuration.interval = .seconds(3600)
        configuration.retryDelay = .seconds(3600)
        configuration.fall = 1
        monitor = ConnectivityMonitor(configuration: configuration)
        try await monitor.start()
    }

    /// The verdict of a check of now, with its reason where there is one.
    func check() async throws -> String {
        // A probe that the start or another path had sent by itself is no answer to this.
        try waitForAll("the end of an earlier probe")
        let before = monitor.statistics.probes
        await monitor.check()
        while monitor.statistics.probes == before { usleep(100) }
        try waitForAll("the result of a check")
        let event = monitor.current
        return event.reason.map { "\(event.connectivity) (\($0.rawValue))" } ?? event.connectivity.rawValue
    }

    /// Waits until every probe that was started has ended.
    private func waitForAll(_ what: String) throws {
        for _ in 0..<100_000 {
            let statistics = monitor.statistics
            let ended = statistics.results.values.reduce(0, +) + statistics.cancelledProbes
            if ended >= statistics.probes { return }
            usleep(100)
        }
        throw BenchmarkError.silent("the monitor", waitedFor: what)
    }

    func stop() async {
        await monitor.stop()
    }
}
