import TestSupport

/// Waits for up to a minute until something is there.
///
/// - Parameters:
///   - what: What an error says did not come.
///   - seen: What was there instead.
func arrival<Value>(
    of what: String, seen: @autoclosure () -> String = "", _ value: () throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
        if let value = try value() { return value }
        try await Task.sleep(for: .milliseconds(5))
    }
    let seen = seen()
    throw ProgramRun.NotSeen(description: "\(what) did not come" + (seen.isEmpty ? "" : "; told: \(seen)"))
}
