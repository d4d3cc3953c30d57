import ArgumentParser
import NetwatchService

/// What is served, and whether events are written: the options of the commands that go on until they are told to stop.
struct ServingOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Write no events: for a program that only serves.")
    var quiet = false

    @Option(
        help: .init("Serve health and metrics over HTTP here; port 0 lets the kernel choose.", valueName: "addr:port"),
        transform: { try ListenAddress($0) })
    var listen: ListenAddress?
}
