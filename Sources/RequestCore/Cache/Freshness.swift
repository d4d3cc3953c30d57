internal import FoundationEssentials
import RequestEngine

/// How old a stored answer is and how old it may be (RFC 9111, section 4.2), in seconds.
struct Freshness {
    let response: StoredResponse
    let control: CacheControl

    init(_ response: StoredResponse) {
        self.response = response
        control = CacheControl(response.headers)
    }

    /// Until which age the answer may be used without asking.
    var lifetime: Int64 {
        if let seconds = control.seconds("max-age") { return seconds }
        if let expires = response.headers.values(of: "Expires").first {
            // A date that cannot be read, such as "0", means the past.
            return HTTPDate.parse(expires).map { max(0, $0.subtracting(clamped: date)) } ?? 0
        }
        return heuristicLifetime
    }

    func age(at now: Int64) -> Int64 {
        let apparent = max(0, response.responseTime.subtracting(clamped: date))
        let stated = response.headers.values(of: "Age").first.flatMap { DeltaSeconds.parse($0) } ?? 0
        let delay = response.responseTime.subtracting(clamped: response.requestTime)
        let resident = max(0, now.subtracting(clamped: response.responseTime))
        return max(apparent, stated.adding(clamped: delay)).adding(clamped: resident)
    }

    /// Whether the answer may be used without asking the server, for a request with these directives.
    func isUsable(by request: CacheControl, at now: Int64) -> Bool {
        // The age of one that came later than now is not known: the clock was set back.
        guard response.responseTime <= now else { return false }
        guard !control.contains("no-cache"), !request.contains("no-cache") else { return false }
        let age = age(at: now)
        if let limit = request.seconds("max-age"), age > limit { return false }
        let staleness = age.adding(clamped: request.seconds("min-fresh") ?? 0).subtracting(clamped: lifetime)
        guard staleness >= 0 else { return true }
        return !mustRevalidate && request.maximumStaleness > 0 && staleness <= request.maximumStaleness
    }

    /// Whether it may stand in for an answer that the server cannot give now (RFC 5861, section 4).
    func isUsableOnError(by request: CacheControl, at now: Int64) -> Bool {
        guard response.responseTime <= now else { return false }
        guard !mustRevalidate, !control.contains("no-cache") else { return false }
        let limit = request.seconds("stale-if-error") ?? control.seconds("stale-if-error") ?? 0
        return age(at: now).subtracting(clamped: lifetime) <= limit && limit > 0
    }

    private var mustRevalidate: Bool { control.contains("must-revalidate") }

    private var date: Int64 {
        response.headers.values(of: "Date").first.flatMap(HTTPDate.parse) ?? response.responseTime
    }

    /// A tenth of the time since the last change, up to a day (RFC 9111, section 4.2.2).
    private var heuristicLifetime: Int64 {
        guard Self.heuristicallyCacheable.contains(response.statusCode),
            let changed = response.headers.values(of: "Last-Modified").first.flatMap(HTTPDate.parse)
        else { return 0 }
        return min(86400, max(0, date.subtracting(clamped: changed)) / 10)
    }

    /// RFC 9110, section 15.1, without 206.
    static let heuristicallyCacheable: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
}
