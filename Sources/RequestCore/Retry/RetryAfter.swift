package import RequestEngine

/// How long a server asks to be left alone (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// The wait that a header asks for: a number of seconds, or a date. A date is measured by the server's own clock,
    /// where it tells it.
    package static func delay(_ headers: HeaderFields, now: Int64 = WallClock.seconds()) -> Duration? {
        guard let value = headers.values(of: "Retry-After").first?.trimmed else { return nil }
        if let seconds = DeltaSeconds.parse(value) { return .seconds(seconds) }
        guard let date = HTTPDate.parse(value) else { return nil }
        let serverNow = headers.values(of: "Date").first.flatMap(HTTPDate.parse) ?? now
        return .seconds(max(0, date.subtracting(clamped: serverNow)))
    }
}
