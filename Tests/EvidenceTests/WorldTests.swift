import Testing
import World

/// The model in a world in which the truth is known; `make bench` runs a hundred histories of each situation.
@Suite("A world in which the truth is known")
struct WorldTests {
    static let seeds: Range<UInt64> = 1..<11

    @Test(
        "every history ends with the right verdict, the right culprit and the right targets", arguments: Situation.all)
    func end(situation: Situation) {
        let summary = Summary(situation, seeds: Self.seeds)
        #expect(summary.wrong.isEmpty, "seeds that end wrong: \(summary.wrong)")
        // Of the whole table one run in a hundred may blame somebody innocent for a moment.
        #expect(summary.lied.count <= 1, "\(summary.lies) in seeds \(summary.lied)")
    }
}

extension Situation: CustomTestStringConvertible {
    public var testDescription: String { name }
}
