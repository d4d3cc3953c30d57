import Testing

extension Scenarios {
    @Test("a target that sends a byte at a time, without an end, is down, at its own fault")
    func dripTarget() async throws {
        try await ScenarioWorld().tellsOneTarget("it sends a byte each 0.1 s, without an end", .drip)
    }
}
