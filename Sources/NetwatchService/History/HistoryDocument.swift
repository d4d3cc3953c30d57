import FoundationEssentials
import History

/// What `/history` answers with, and `netwatch history --json`: how long all that is watched was what, in seconds.
package struct HistoryDocument: Codable, Sendable {
    var schema = 1
    /// RFC 3339, as is `until`.
    var since: String
    var until: String
    /// From the one to the other by the wall clock. Of each part `up`, `down`, `unknown` and `suspended` are as much together.
    var seconds: Double
    /// The connectivity as a whole: up is `full`, or a path where nothing is probed. Left out where one target is asked for.
    var connectivity: Part?
    var targets: [Part]

    struct Part: Codable, Sendable {
        var target: String?
        var up: Double
        var down: Double
        var unknown: Double
        var suspended: Double
        /// The part of the time that is known, up or down, in which it was up; left out where there is none.
        var availability: Double?
        /// How often it was down.
        var outages: Int
        var probes: Int64?
        var failures: Int64?
        /// Of the probes that succeeded, in seconds.
        var mean: Double?
        var longest: Double?
        var phases: Phases?
        var spans: [Span]?
    }

    struct Phases: Codable, Sendable {
        var resolve: Double?
        var connect: Double?
        var tls: Double?
        var processing: Double?
        var transfer: Double?
    }

    struct Span: Codable, Sendable {
        var status: String
        var since: String
        var until: String
    }

    /// - Parameters:
    ///   - since: In milliseconds since 1970-01-01 UTC, as is `until`.
    ///   - withSpans: Whether each time is told by itself, too.
    init(_ past: [HistoryReading.Past], since: Int64, until: Int64, withSpans: Bool) {
        self.since = Self.time(since)
        self.until = Self.time(until)
        seconds = Self.seconds(max(until - since, 0))
        let parts = past.map { Part($0, withSpans: withSpans) }
        connectivity = parts.first { $0.target == nil }
        targets = parts.filter { $0.target != nil }
    }

    /// Milliseconds as seconds: a double holds a thousand years of them to the millisecond.
    static func seconds(_ milliseconds: Int64) -> Double { Double(milliseconds) / 1000 }

    static func time(_ milliseconds: Int64) -> String {
        TimeText.rfc3339(UInt64(clamping: milliseconds) * 1_000_000)
    }

    /// The connectivity, where it is told, and the targets.
    var parts: [Part] { (connectivity.map { [$0] } ?? []) + targets }

    /// In one line, with its line feed.
    var json: [UInt8] {
        get throws { try Self.bytes(of: self) + [UInt8(ascii: "\n")] }
    }

    static func bytes(of value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    package init(json text: String) throws {
        self = try JSONDecoder().decode(HistoryDocument.self, from: Data(text.utf8))
    }
}

extension HistoryDocument.Part {
    fileprivate init(_ past: HistoryReading.Past, withSpans: Bool) {
        let timeline = past.timeline
        let (up, down) = (timeline.milliseconds(.up), timeline.milliseconds(.down))
        target = past.target
        self.up = HistoryDocument.seconds(up)
        self.down = HistoryDocument.seconds(down)
        unknown = HistoryDocument.seconds(timeline.milliseconds(.unknown))
        suspended = HistoryDocument.seconds(timeline.milliseconds(.suspended))
        availability = up + down > 0 ? Double(up) / Double(up + down) : nil
        outages = timeline.outages
        if withSpans { spans = timeline.spans.map(HistoryDocument.Span.init) }
        guard past.target != nil else { return }
        (probes, failures) = (past.probes.probes, past.probes.failures)
        (mean, longest, phases) = (past.probes.mean, past.probes.longestSeconds, HistoryDocument.Phases(past.probes))
    }
}

extension HistoryDocument.Span {
    fileprivate init(_ span: Timeline.Span) {
        status = span.status.word
        since = HistoryDocument.time(span.since)
        until = HistoryDocument.time(span.until)
    }
}

extension HistoryDocument.Phases {
    /// The mean of each phase; nil where no probe has succeeded.
    init?(_ sum: ProbeSum) {
        guard sum.successes > 0 else { return nil }
        func mean(_ microseconds: Int64) -> Double? {
            microseconds > 0 ? Double(microseconds / sum.successes) / 1e6 : nil
        }
        resolve = mean(sum.phases.resolve)
        connect = mean(sum.phases.connect)
        tls = mean(sum.phases.tls)
        processing = mean(sum.phases.processing)
        transfer = mean(sum.phases.transfer)
    }
}

extension ProbeSum {
    /// How long those that succeeded took on average, in seconds.
    var mean: Double? { successes > 0 ? Double(duration / successes) / 1e6 : nil }

    fileprivate var longestSeconds: Double? { successes > 0 ? Double(longest) / 1e6 : nil }
}

extension HistoryDocument {
    static func nothingKnown(of target: String) -> String { "nothing is known of a target \(DisplayText.safe(target))" }
}
