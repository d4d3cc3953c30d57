/// Waits until something is there, and looks for it every few milliseconds.
///
/// - Parameters:
///   - what: What an error says did not come.
///   - limit: How long to wait; only a test that fails waits so long.
///   - seen: What was there instead.
public func arrival<Value>(
    of what: String, within limit: Duration = .seconds(60), seen: @autoclosure () -> String = "",
    fileID: String = #fileID, line: Int = #line, _ value: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    repeat {
        if let value = try await value() { return value }
        try await Task.sleep(for: .milliseconds(5))
    } while ContinuousClock.now < deadline
    // On a busy machine all of the time may have gone by since the last look.
    if let value = try await value() { return value }
    let told = seen().isEmpty ? "" : "; told: \(seen())"
    throw ProgramRun.NotSeen(description: "\(what) did not come within \(limit) (\(fileID):\(line))\(told)")
}

/// Waits until something holds; a test that waits in vain fails.
public func expectSoon(
    _ what: String = "what is expected", within limit: Duration = .seconds(60), fileID: String = #fileID,
    line: Int = #line, _ condition: () async throws -> Bool
) async throws {
    _ = try await arrival(of: what, within: limit, fileID: fileID, line: line) { try await condition() ? true : nil }
}
