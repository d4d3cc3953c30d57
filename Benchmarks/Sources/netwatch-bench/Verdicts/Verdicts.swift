import Foundation
import Netwatch

/// What is made of a server's behaviours, one after the other and in random sequences, beside a living NetworkManager (where
/// it is installed) that asks the same server over the same link.
struct Verdicts {
    /// Of four behaviours each.
    var sequences = 1_000
    /// Of these, how many NetworkManager is led through too; it takes ten times as long.
    var sharedSequences = 50

    func measure() async throws -> [Figure] {
        let uplinks = try Uplinks()
        let server = try AnsweringServer(behind: uplinks)
        let url = "http://\(AnsweringServer.address)/check"
        let theirs = LivingNetworkManager.isInstalled ? try LivingNetworkManager(checking: url) : nil
        let ours = try await CheckedMonitor(checking: url)
        defer { withExtendedLifetime((uplinks, theirs)) {} }

        let behaviours = try Behaviour.all()
        let single = try await outcome(of: behaviours + Behaviour.slow, server, ours, theirs)
        single.differences.forEach { print("  \($0)") }
        let random = (0..<sequences * 4).compactMap { _ in behaviours.randomElement() }
        let shared = try await outcome(of: Array(random.prefix(sharedSequences * 4)), server, ours, theirs)
        let rest = try await outcome(of: Array(random.dropFirst(sharedSequences * 4)), server, ours, nil)
        await ours.stop()
        return figures("\(single.count) behaviours of a server", single)
            + figures("\(sharedSequences) random sequences of 4", shared)
            + figures("\(sequences - sharedSequences) more", rest)
    }

    private func figures(_ name: String, _ outcome: Outcome) -> [Figure] {
        let wrong = Figure(name, "wrong verdicts", Double(outcome.ours.wrong), "").aiming(atMost: 0)
        let slowest = Figure(name, "slowest verdict", outcome.ours.slowest / .milliseconds(1), "ms")
        guard let theirs = outcome.theirs else { return [wrong, slowest] }
        return [
            wrong.beside("NetworkManager", Double(theirs.wrong)),
            slowest.beside("NetworkManager", theirs.slowest / .milliseconds(1)),
        ]
    }

    private func outcome(
        of behaviours: [Behaviour], _ server: AnsweringServer, _ ours: CheckedMonitor, _ theirs: LivingNetworkManager?
    ) async throws -> Outcome {
        var outcome = Outcome(count: behaviours.count, theirs: theirs == nil ? nil : Score())
        for behaviour in behaviours {
            try server.behave(behaviour.action)
            let our = try await outcome.ours.take(behaviour.verdict) { try await ours.check() }
            let their = try await outcome.theirs?.take(behaviour.verdict) { try theirs?.check() ?? "" }
            guard !behaviour.verdict.accepts(our) || their.map(behaviour.verdict.accepts) == false else { continue }
            outcome.differences.append(
                "\(behaviour.name): \(behaviour.verdict) is right, netwatch says \(our)"
                    + (their.map { ", NetworkManager \($0)" } ?? ""))
        }
        return outcome
    }
}

/// How two monitors did.
private struct Outcome {
    var count: Int
    var ours = Score()
    var theirs: Score?
    /// What either was wrong about.
    var differences: [String] = []
}

/// How one did.
private struct Score {
    var wrong = 0
    var slowest = Duration.zero

    /// Has a verdict made, and counts it where it is not right.
    mutating func take(_ right: Behaviour.Verdict, _ check: () async throws -> String) async throws -> String {
        let start = ContinuousClock.now
        let word = try await check()
        slowest = max(slowest, start.duration(to: .now))
        if !right.accepts(word) { wrong += 1 }
        return word
    }
}

extension Behaviour.Verdict {
    /// Whether a monitor's word says the same. What is neither online nor a portal may be called limited or local.
    fileprivate func accepts(_ word: String) -> Bool {
        switch self {
        case .online: word == "full"
        case .portal: word.hasPrefix("portal")
        case .inconclusive: word.hasPrefix("limited") || word.hasPrefix("local")
        }
    }
}
