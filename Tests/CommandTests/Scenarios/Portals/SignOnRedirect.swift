import Testing

extension Scenarios {
    @Test("one target that redirects to its sign-on does not make a portal")
    func signOnRedirect() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("one target redirects to another site") {
            try world.set(.redirect(to: "http://sso.test/login"), of: ScenarioWorld.address(2))
        }.tells(Told.Verdict("limited", blame: "target", down: ["t2"]), within: 8)
        try await story.ends()
    }
}
