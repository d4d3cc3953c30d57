import Reachability
import Synchronization

/// Compares monitors with the kernel over random operations, and reduces what disagrees to the least that still does.
struct Fuzzer {
    var seed: UInt64
    var operations: Int
    /// Episodes that run at the same time, each in namespaces of its own: most of an episode is waiting.
    var lanes = 1
    /// A fresh namespace after so many operations, so that one failure needs few of them.
    var episodeLength = 250
    /// Enough disagreements to look into.
    var reportLimit = 10

    struct Tally {
        var operations = 0
        var episodes: UInt64 = 0
        var quietMoments = 0
        var interfaces = 0
        var longestDisagreement = Duration.zero
        var usable = 0
        var unusable = 0
        var answers: Set<String> = []
        var reports: [Report] = []

        mutating func add(_ operations: [Operation], _ agreement: Episode.Agreement) {
            self.operations += operations.count
            quietMoments += 1
            interfaces += agreement.interfaces
            longestDisagreement = max(longestDisagreement, agreement.time)
            let carrying = agreement.verdicts.count(where: \.isUsable)
            usable += carrying
            unusable += agreement.verdicts.count - carrying
            answers.formUnion(agreement.verdicts.map(\.kernel))
        }
    }

    /// Runs episodes until there were enough operations, or too many disagreements.
    ///
    /// - Parameter progress: Called after each episode.
    func run(progress: @escaping @Sendable (Tally) -> Void) async throws -> Tally {
        let shared = SharedTally()
        try await withThrowingTaskGroup { group in
            for _ in 0..<lanes { group.addTask { try await runLane(shared, progress) } }
            try await group.waitForAll()
        }
        return shared.tally.withLock { $0 }
    }

    private func runLane(_ shared: SharedTally, _ progress: @Sendable (Tally) -> Void) async throws {
        while let number = shared.nextEpisode(operations, reportLimit) {
            do {
                try await runEpisode(seed: seed &+ number, shared)
            } catch let report as Report {
                print("differential: a disagreement: \(report)")
                shared.tally.withLock { $0.reports.append(report) }
            }
            progress(shared.tally.withLock { $0 })
        }
    }

    private func runEpisode(seed: UInt64, _ shared: SharedTally) async throws {
        var generator = OperationGenerator(seed: seed)
        let episode = try await Episode()
        var steps: [[Operation]] = []
        var count = 0
        do {
            while count < episodeLength {
                let step = (0..<Int.random(in: 1...12, using: &generator.random)).map { _ in generator.next() }
                steps.append(step)
                count += step.count
                let agreement = try await episode.agree(after: step, isSettled: steps.count % 10 == 0)
                shared.tally.withLock { $0.add(step, agreement) }
            }
        } catch let failure as Episode.Failure {
            await episode.end()
            throw Report(seed: seed, failure: try await Shrinker().shrink(failure, Array(steps.joined())))
        }
        await episode.end()
    }

    /// A disagreement, as small as it could be made.
    struct Report: Error, CustomStringConvertible {
        var seed: UInt64
        var failure: Episode.Failure

        var description: String { "seed \(seed): \(failure)" }
    }
}

/// What the lanes have done together.
private final class SharedTally: Sendable {
    let tally = Mutex(Fuzzer.Tally())

    /// The number of the episode to run next; nil where all is done.
    func nextEpisode(_ operations: Int, _ reportLimit: Int) -> UInt64? {
        tally.withLock { tally in
            guard tally.operations < operations, tally.reports.count < reportLimit else { return nil }
            defer { tally.episodes += 1 }
            return tally.episodes
        }
    }
}
