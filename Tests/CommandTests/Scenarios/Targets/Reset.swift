import Testing

extension Scenarios {
    @Test("a target that resets each connection is down, at its own fault")
    func resetTarget() async throws {
        try await ScenarioWorld().tellsOneTarget("it resets each connection", .reset)
    }
}
