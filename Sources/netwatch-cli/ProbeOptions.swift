#if Service
import ArgumentParser
import Connectivity
import NetwatchService

/// What is probed and how: the options that every watching command has.
struct ProbeOptions: ParsableArguments {
    @Option(
        name: .customLong("probe"),
        help: .init(
            "Probe this address (http, https, tcp, tls, dns, icmp) instead of the default ones, under a name of its own with NAME=URL; repeatable.",
            valueName: "url"),
        transform: TargetArgument.parse)
    var targets: [Target] = []

    @Flag(help: "Send no probe: tell only what the kernel knows.")
    var noProbe = false

    @Option(
        help: .init("From one probe to the next while all is well (default: 60s).", valueName: "time"),
        transform: DurationArgument.parse)
    var interval: Duration = .seconds(60)

    @OptionGroup var trust: TrustOptions

    func validate() throws {
        if noProbe, !targets.isEmpty {
            throw ValidationError("--probe and --no-probe exclude each other: leave one of them out")
        }
    }

    /// - Throws: ``CAFileError`` where the CA file cannot be used.
    func configuration(timeout: Duration) throws -> ConnectivityConfiguration {
        var configuration = ConnectivityConfiguration()
        if !targets.isEmpty { configuration.targets = targets }
        configuration.probesEnabled = !noProbe
        configuration.interval = interval
        configuration.timeout = timeout
        configuration.certificateAuthorityFile = try trust.checkedFile()
        return configuration
    }
}

/// How long a probe may take: the option of every command whose own time has another name, or that has none.
struct ProbeTimeout: ParsableArguments {
    @Option(
        help: .init("How long a probe may take (default: 3s).", valueName: "time"), transform: DurationArgument.parse)
    var timeout: Duration?

    var duration: Duration { timeout ?? .seconds(3) }
}

/// Targets on the command line: a URL, or a name and a URL.
enum TargetArgument {
    @Sendable static func parse(_ text: String) throws -> Target {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex,
            !text[..<equals].contains(where: { ":/?#".contains($0) })
        else { return try Target(text) }
        return try Target(String(text[text.index(after: equals)...]), name: String(text[..<equals]))
    }
}
#endif
