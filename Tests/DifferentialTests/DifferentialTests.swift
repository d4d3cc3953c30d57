import Foundation
import TestSupport
import Testing

@Suite(
    "At every quiet moment the path is the kernel's answer",
    .enabled(if: TestNamespace.unavailable == nil, "network namespaces cannot be made here"), .serialized)
struct DifferentialTests {
    /// `make bench-fuzz` asks for a million.
    private static let operations = environment("NETWATCH_FUZZ_OPERATIONS") ?? 10_000
    private static let seed = environment("NETWATCH_FUZZ_SEED") ?? 1

    private static func environment(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    /// Many more than there are processors pay off, since most of an episode is waiting.
    private static let lanes = environment("NETWATCH_FUZZ_LANES") ?? 2

    @Test("over random operations of every kind the kernel has")
    func randomOperations() async throws {
        let fuzzer = Fuzzer(seed: UInt64(Self.seed), operations: Self.operations, lanes: Self.lanes)
        let start = ContinuousClock.now
        let progress = Progress(operations: Self.operations, start: start)
        let tally = try await fuzzer.run { progress.tell($0) }
        print(
            "differential: \(tally.operations) operations, \(tally.quietMoments) quiet moments, "
                + "\(tally.usable) usable and \(tally.unusable) unusable paths, \(tally.interfaces) interfaces, "
                + "\(tally.answers.count) different answers, agreement after \(tally.longestDisagreement) at the latest, "
                + "\(start.duration(to: .now)) in all")
        #expect(tally.reports.isEmpty, "\(tally.reports.map(\.description).joined(separator: "\n\n"))")
        #expect(tally.operations >= Self.operations)
        // The operations are to lead somewhere: to paths and to none, in many ways.
        #expect(tally.usable > tally.quietMoments && tally.unusable > tally.quietMoments)
        #expect(tally.interfaces > tally.quietMoments / 10)
        #expect(tally.answers.count > min(Self.operations / 50, 50))
    }
}
