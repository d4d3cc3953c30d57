extension Duration {
    /// The time as people say it: `180 µs`, `50 ms`, `1.2 s`, `3 s`, `2 min`, `12 h`.
    package var words: String {
        let (seconds, attoseconds) = components
        guard self >= .zero else { return "-\((.zero - self).words)" }
        if seconds == 0 {
            let microseconds = attoseconds / 1_000_000_000_000
            return microseconds < 1000 ? "\(microseconds) µs" : "\(microseconds / 1000) ms"
        }
        if seconds >= 7200, seconds % 3600 == 0 { return "\(seconds / 3600) h" }
        if seconds >= 120 { return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s" }
        let tenths = attoseconds / 100_000_000_000_000_000
        return tenths == 0 ? "\(seconds) s" : "\(seconds).\(tenths) s"
    }
}
