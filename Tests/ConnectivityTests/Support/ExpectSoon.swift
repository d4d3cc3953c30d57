import Testing

/// Waits until something holds; a test that waits in vain fails where it waits.
func expectSoon(
    within limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () throws -> Bool
) async throws {
    let start = ContinuousClock.now
    while try !condition() {
        try #require(start.duration(to: .now) < limit, "it did not come about in time", sourceLocation: sourceLocation)
        try await Task.sleep(for: .milliseconds(10))
    }
}
