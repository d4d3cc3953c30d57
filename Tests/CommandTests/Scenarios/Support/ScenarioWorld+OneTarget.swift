import Testing

extension ScenarioWorld {
    /// One of five targets that are well is at fault for itself, and it is told; so is that it is well again.
    func tellsOneTarget(_ what: String, _ mood: Mood, title: String = #function) async throws {
        let story = try watch(Target.numbers(1...5), title: title)
        try await story.isWell()
        try await story.when("one target: \(what)") {
            try set(mood, of: Self.address(2))
        }.tells(Told.Verdict("limited", blame: "target", down: ["t2"], words: "answered"), within: 8)
        try await story.when("it is well again") {
            try set(.well, of: Self.address(2))
        }.tells(.full, within: 5)
        try await story.ends()
    }
}
