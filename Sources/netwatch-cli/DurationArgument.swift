#if Service
import ArgumentParser

/// Times on the command line: `500ms`, `3s`, `5m`, `1h`; a number alone is in seconds.
enum DurationArgument {
    private static let units: [(suffix: String, nanoseconds: Double)] = [
        ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9), ("", 1e9),
    ]

    @Sendable static func parse(_ text: String) throws -> Duration {
        for (suffix, nanoseconds) in units where text.hasSuffix(suffix) {
            guard let number = Double(text.dropLast(suffix.count)) else { continue }
            guard number > 0, number * nanoseconds <= 7 * 24 * 3600e9 else { break }
            return .nanoseconds(Int64(number * nanoseconds))
        }
        throw ValidationError("write a time such as 500ms, 3s, 5m or 1h, longer than nothing and no longer than 168h")
    }
}
#endif
