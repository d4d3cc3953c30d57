import ArgumentParser
import Netwatch

/// Times on the command line: `500ms`, `3s`, `5m`, `1h`; a number alone is in seconds.
enum DurationArgument {
    @Sendable static func parse(_ text: String) throws -> Duration {
        if let duration = Duration(text: text) { return duration }
        throw ValidationError("write a time such as 500ms, 3s, 5m or 1h, longer than nothing and no longer than 168h")
    }
}
