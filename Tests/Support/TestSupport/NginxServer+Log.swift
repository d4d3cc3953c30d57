extension NginxServer {
    /// The number of requests in the access log whose line has this text, once there are as many as expected or ten
    /// seconds have passed. nginx writes a line after it has sent the last byte of an answer, so that the answer may be
    /// here before it.
    public func logged(_ expected: Int, containing text: String = "") async throws -> Int {
        var count: Int { accessLog.count { text.isEmpty || $0.contains(text) } }
        let start = ContinuousClock.now
        while count < expected, start.duration(to: .now) < .seconds(10) {
            try await Task.sleep(for: .milliseconds(5))
        }
        return count
    }
}
