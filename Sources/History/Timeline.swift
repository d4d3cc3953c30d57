/// What something was in each millisecond of a time by the wall clock: nothing is left out, and nothing counts twice.
package struct Timeline: Hashable, Sendable {
    /// A part of it, in milliseconds since 1970-01-01 UTC; the end is not in it.
    package struct Span: Hashable, Sendable {
        package var since: Int64
        package var until: Int64
        package var status: PastStatus
    }

    /// In order, one after the other from the beginning to the end; neighbours differ.
    package private(set) var spans: [Span]

    init(since: Int64, until: Int64) {
        spans = since < until ? [Span(since: since, until: until, status: .unknown)] : []
    }

    /// Says what a time was, whatever was said of it before: a clock that was set back goes over the same time twice, and the
    /// later word counts.
    mutating func paint(since: Int64, until: Int64, _ status: PastStatus) {
        guard let first = spans.first, let last = spans.last else { return }
        let span = Span(since: max(since, first.since), until: min(until, last.until), status: status)
        guard span.since < span.until else { return }
        let start = index { $0.until > span.since }
        let end = index { $0.since >= span.until }
        var parts = [span]
        if spans[start].since < span.since {
            parts.insert(Span(since: spans[start].since, until: span.since, status: spans[start].status), at: 0)
        }
        if spans[end - 1].until > span.until {
            parts.append(Span(since: span.until, until: spans[end - 1].until, status: spans[end - 1].status))
        }
        // The neighbours too, which may be of the same status.
        let from = max(start - 1, 0)
        let to = min(end + 1, spans.count)
        let around = Array(spans[from..<start]) + parts + Array(spans[end..<to])
        spans.replaceSubrange(from..<to, with: Self.joined(around))
    }

    /// How long it was of a status, in milliseconds.
    package func milliseconds(_ status: PastStatus) -> Int64 {
        spans.reduce(0) { $0 + ($1.status == status ? $1.until - $1.since : 0) }
    }

    /// How often it went down.
    package var outages: Int { spans.count { $0.status == .down } }

    /// The first span that is as asked for; all before it are not.
    private func index(where predicate: (Span) -> Bool) -> Int {
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if predicate(spans[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private static func joined(_ spans: [Span]) -> [Span] {
        spans.reduce(into: []) { result, span in
            if let last = result.last, last.status == span.status {
                result[result.count - 1].until = span.until
            } else {
                result.append(span)
            }
        }
    }
}
