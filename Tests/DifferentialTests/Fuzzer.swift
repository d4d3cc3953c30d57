import Reachability

/// Compares monitors with the kernel over random operations, and reduces what disagrees to the least that still does.
struct Fuzzer {
    var seed: UInt64
    var operations: Int
    /// A fresh namespace after so many operations, so that one failure needs few of them.
    var episodeLength = 250

    struct Tally {
        var operations = 0
        var quietMoments = 0
        var longestDisagreement = Duration.zero
        var usable = 0
        var unusable = 0
        var answers: Set<String> = []

        mutating func add(_ operations: [Operation], _ agreement: Episode.Agreement) {
            self.operations += operations.count
            quietMoments += 1
            longestDisagreement = max(longestDisagreement, agreement.time)
            let carrying = agreement.verdicts.count(where: \.isUsable)
            usable += carrying
            unusable += agreement.verdicts.count - carrying
            answers.formUnion(agreement.verdicts.map(\.kernel))
        }
    }

    func run() async throws -> Tally {
        var tally = Tally()
        var episode: UInt64 = 0
        while tally.operations < operations {
            try await runEpisode(seed: seed &+ episode, &tally)
            episode += 1
        }
        return tally
    }

    private func runEpisode(seed: UInt64, _ tally: inout Tally) async throws {
        var generator = OperationGenerator(seed: seed)
        let episode = try await Episode()
        var steps: [[Operation]] = []
        var count = 0
        do {
            while count < episodeLength {
                let step = (0..<Int.random(in: 1...12, using: &generator.random)).map { _ in generator.next() }
                steps.append(step)
                count += step.count
                tally.add(step, try await episode.agree(after: step, isSettled: steps.count % 10 == 0))
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
