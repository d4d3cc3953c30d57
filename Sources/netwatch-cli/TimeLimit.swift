import ArgumentParser
import Connectivity

/// How long a command may take: the option of every command that ends by itself.
struct TimeLimit: ParsableArguments {
    @Option(
        name: .customLong("timeout"),
        help: .init(
            "Give up after this time (wait: 30s, explain: 3s, fleet status: 10s, else once it is clear).",
            valueName: "time"),
        transform: DurationArgument.parse)
    var duration: Duration?

    /// The options that were given.
    var givenFlags: [String] { duration == nil ? [] : ["--timeout"] }
}

/// How long a probe may take: the option of every command that probes again and again.
struct ProbeTimeout: ParsableArguments {
    @Option(
        name: .customLong("probe-timeout"),
        help: .init("How long a probe may take (default: 3s).", valueName: "time"), transform: DurationArgument.parse)
    var duration: Duration?

    /// The options that were given.
    var givenFlags: [String] { duration == nil ? [] : ["--probe-timeout"] }

    func validate() throws {
        if let duration, !Target.timeouts.contains(duration) {
            throw ValidationError("--probe-timeout has to be 1ms to 1h")
        }
    }
}
