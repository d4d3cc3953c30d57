internal import Connectivity
internal import RequestEngine

extension HTTPDate {
    /// By how many seconds the time that an answer was made at is ahead of this host's: its `Date`, and its `Age` where a cache
    /// has kept it since (RFC 9110, section 6.6.1; RFC 9111, section 5.1). Nil where it says none.
    static func offset(of headers: HeaderFields) -> Int64? {
        guard let date = headers["Date"].flatMap(parse) else { return nil }
        let age = headers["Age"].flatMap { Int64($0) } ?? 0
        let (time, isTooLong) = date.addingReportingOverflow(max(age, 0))
        return isTooLong ? nil : time - Int64(Instant.now.wall / 1_000_000_000)
    }
}
