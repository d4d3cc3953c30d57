import Testing

extension Scenarios {
    @Test("a target that accepts and says nothing is down, at its own fault")
    func muteTarget() async throws {
        try await ScenarioWorld().tellsOneTarget("it accepts and says nothing", .silent)
    }
}
