import TestSupport

extension NginxServer {
    /// The number of requests in the access log, once there are as many as expected or ten seconds have passed. nginx
    /// writes a line after it has sent the last byte of an answer, so that the answer may be here before it.
    func logged(_ expected: Int) async throws -> Int {
        let start = ContinuousClock.now
        while accessLog.count < expected, start.duration(to: .now) < .seconds(10) {
            try await Task.sleep(for: .milliseconds(5))
        }
        return accessLog.count
    }
}
