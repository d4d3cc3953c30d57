/// How long a host usually takes to say its first word: its last hundred answers, in two halves so that nothing is
/// stored or sorted.
struct Usual: Sendable {
    private struct Half {
        var count = 0
        /// Those that came to the first try and were not slow, and their sum.
        var clean = 0
        var sum = Duration.zero
        var longest = Duration.zero
        var second = Duration.zero

        mutating func add(_ duration: Duration, isClean: Bool) {
            count += 1
            if isClean { (clean, sum) = (clean + 1, sum + duration) }
            if duration > longest { (longest, second) = (duration, longest) } else { second = max(second, duration) }
        }
    }

    /// So soon no answer is slow, whatever is usual.
    private static let neverSlow = Duration.milliseconds(50)

    private var older = Half()
    private var newer = Half()
    /// Answers in a row that took much longer than those before.
    private var slow = 0

    var isKnown: Bool { older.count + newer.count > 0 }

    /// What an answer's time shows.
    enum Pace: Hashable, Sendable {
        case usual
        /// It came to a later SYN of the kernel's, each of which has its full second (net.ipv4.tcp_syn_linear_timeouts, since
        /// Linux 6.5; before, the third leaves after 3 s): so many before it were lost.
        case retried(Int)
        case slow
    }

    mutating func add(_ duration: Duration) -> Pace {
        let pace = pace(of: duration)
        slow = pace == .usual ? 0 : slow + 1
        // What goes on for long is the new usual.
        newer.add(duration, isClean: pace == .usual || slow > 30)
        if newer.count == 50 { (older, newer) = (newer, Half()) }
        return pace
    }

    /// The mean of what is usual.
    var mean: Duration {
        let count = older.clean + newer.clean
        return count > 0 ? (older.sum + newer.sum) / count : .zero
    }

    /// Whether it is known to say its first word soon.
    var isQuick: Bool { older.clean + newer.clean > 0 && mean <= .milliseconds(300) }

    /// A radio that wakes is late and loses nothing: only an answer at its time after a later SYN is one to it.
    private func pace(of duration: Duration) -> Pace {
        guard duration > Self.neverSlow else { return .usual }
        let retries = min(Int(duration.components.seconds), Rules.mostRetries)
        let again = duration - .seconds(retries)
        guard older.clean + newer.clean > 0 else {
            // The first word of all: seconds more than any usual time.
            return retries > 0 && again <= .milliseconds(300) ? .retried(retries) : .usual
        }
        let mean = mean
        let isAgain = mean < .milliseconds(500) && again >= mean / 2 && again <= mean * 2 + .milliseconds(30)
        if retries > 0, isAgain, slow < 4 { return .retried(retries) }
        guard older.clean + newer.clean >= 3 else { return .usual }
        let isSlow = duration > mean * 2 + .milliseconds(300) || duration > mean * 4 + Self.neverSlow
        return isSlow ? .slow : .usual
    }

    /// The 99th percentile: the second longest of a hundred, the longest of a few.
    var high: Duration {
        let longest = max(older.longest, newer.longest)
        guard older.count + newer.count >= 20 else { return longest }
        return max(min(older.longest, newer.longest), older.second, newer.second)
    }

    /// When an answer is late.
    var lateness: Duration {
        isKnown ? max(Rules.leastLateness, high * Rules.latenessFactor) : Rules.unknownLateness
    }
}
