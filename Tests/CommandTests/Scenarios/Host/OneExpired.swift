import Testing

extension Scenarios {
    @Test("one certificate that has expired is its target's fault, and not the clock's")
    func oneExpired() async throws {
        let world = try ScenarioWorld()
        let story = try world.watchSecurely(1...3, plainly: 4...5)
        try await story.isWell()
        try await story.when("one certificate expires") { try world.certify(2...2, .expired) }
            .tells(
                Told.Verdict(
                    "limited", blame: "target", reason: "certificate-expired", down: ["t2"], words: "answered"),
                within: 6)
        try await story.ends()
    }
}
