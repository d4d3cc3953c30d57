/// What several situations are varied by.
package struct Variation: Sendable {
    /// What the names of the situations begin with that it makes.
    package let words: String
    private let names: [String]
    private let before: @Sendable (inout World) -> Void
    private let after: @Sendable (inout World) -> Void

    /// - Parameters:
    ///   - before: What is otherwise before the situation is made.
    ///   - after: What is changed of the world that it has made.
    init(
        _ words: String, of names: [String], before: @escaping @Sendable (inout World) -> Void = { _ in },
        after: @escaping @Sendable (inout World) -> Void = { _ in }
    ) {
        (self.words, self.names, self.before, self.after) = (words, names, before, after)
    }

    private var originals: [Situation] { names.compactMap { name in Situation.plain.first { $0.name == name } } }

    var situations: [Situation] { originals.map(varied) }

    private func varied(_ situation: Situation) -> Situation {
        Situation(words + situation.name, seconds: situation.seconds) { world in
            before(&world)
            situation.make(&world)
            after(&world)
        }
    }

    /// Those that are to be varied and are no situation: none, unless one is called otherwise now.
    package var unknownNames: [String] { names.filter { name in !Situation.plain.contains { $0.name == name } } }

    /// Whether what happens in a history of some situation is another than without it.
    package func changesAny(seed: UInt64) -> Bool {
        originals.contains { situation in
            let (old, new) = (situation.run(seed: seed), varied(situation).run(seed: seed))
            return (old.bytes, old.probes, old.touches) != (new.bytes, new.probes, new.touches)
        }
    }
}
