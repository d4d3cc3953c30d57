import Connectivity
import EventLoop

/// What the probes of one target over one way came to in the last minutes.
struct ProbeHistory: Hashable, Sendable {
    /// How far back it goes.
    static let span: Duration = .seconds(600)
    /// How many probes it holds at most, whatever their interval.
    static let most = 300

    private struct Sample: Hashable, Sendable {
        let time: MonotonicTime
        /// How long the answer took in nanoseconds; nil where none came that was expected.
        let duration: UInt64?
    }

    private var samples: [Sample] = []

    /// Notes a result, unless it is here already. One that was given up, or not asked, says nothing.
    mutating func record(_ result: ProbeResult) {
        guard result.outcome != .cancelled, result.outcome != .skipped,
            result.endMonotonic > samples.last?.time ?? .first
        else { return }
        samples.append(
            Sample(time: result.endMonotonic, duration: result.outcome == .success ? result.durationNanoseconds : nil))
        let oldest = result.endMonotonic.nanoseconds - min(result.endMonotonic.nanoseconds, Self.span.nanoseconds)
        let old = samples.prefix { $0.time.nanoseconds < oldest }.count
        samples.removeFirst(max(old, samples.count - Self.most))
    }

    private var durations: [UInt64] { samples.compactMap(\.duration) }

    /// The shortest answer, in nanoseconds; nil where there was none.
    var best: UInt64? { durations.min() }

    /// The mean, in nanoseconds; nil where there was no answer.
    var average: UInt64? {
        let durations = durations
        return durations.isEmpty ? nil : durations.reduce(0, +) / UInt64(durations.count)
    }

    /// How many of a hundred were not answered as expected; nil where nothing was asked.
    var loss: Int? {
        guard !samples.isEmpty else { return nil }
        let lost = samples.count { $0.duration == nil }
        // One of a thousand is not none.
        return lost == 0 ? 0 : max(1, lost * 100 / samples.count)
    }

    /// The last probes as a row of bars, the newest at the right: as high as the answer took long, and a cross for none.
    func sparkline(length: Int, _ style: Style) -> String {
        let last = samples.suffix(length)
        let longest = last.compactMap(\.duration).max() ?? 0
        return last.map { sample in
            guard let duration = sample.duration else { return style.loss }
            let step = longest == 0 ? 0 : Int(duration * UInt64(style.bars.count - 1) / longest)
            return style.bars[step]
        }.joined()
    }
}

extension MonotonicTime {
    fileprivate static let first = MonotonicTime(nanoseconds: 0)
}
