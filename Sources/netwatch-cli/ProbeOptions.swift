import ArgumentParser
import Connectivity
import NetwatchService

/// What is probed and how: the options that every watching command has.
struct ProbeOptions: ParsableArguments {
    @Option(
        help: .init(
            "Take targets and all else from this file, JSON or *.yaml (see Documentation/Configuration.md); other options go before it.",
            valueName: "path"),
        completion: .file(extensions: ["json", "yaml", "yml"]))
    var config: String?

    @Option(
        name: .customLong("probe"),
        help: .init(
            "Probe this address (http, https, tcp, tls, dns, icmp) instead of the default ones, under a name of its own with NAME=URL; repeatable.",
            valueName: "url"),
        transform: TargetArgument.parse)
    var targets: [Target] = []

    @Flag(help: "Send no probe: tell only what the kernel knows, of all interfaces and both families.")
    var noProbe = false

    @Flag(
        help:
            "Ask no host but the targets, not even in doubt whether it is they or the way (1.1.1.1, 8.8.8.8, 9.9.9.9, connectivitycheck.gstatic.com)."
    )
    var noDefaultProbes = false

    @Flag(help: "Probe every address of each name (at most 16), and tell which of them do not answer.")
    var eachAddress = false

    @Option(
        help: .init("From one probe to the next while all is well (default: 60s).", valueName: "time"),
        transform: DurationArgument.parse)
    var interval: Duration?

    @Flag(
        help:
            "Put off probes of the default addresses while this host's own TCP connections show that the uplink works; looked at when one is due."
    )
    var traffic = false

    @Option(
        help: .init(
            "Look at them every so often, too (500ms), so that an uplink that dies without a word is noticed between probes.",
            valueName: "time"),
        transform: DurationArgument.parse)
    var watchTraffic: Duration?

    @OptionGroup var way: WayOptions
    @OptionGroup var trust: TrustOptions

    func validate() throws {
        if noProbe, !targets.isEmpty {
            throw ValidationError("--probe and --no-probe exclude each other: leave one of them out")
        }
        if let interval, !Target.intervals.contains(interval) {
            throw ValidationError("--interval has to be 1ms at least")
        }
        if let watchTraffic, !TrafficConfiguration.intervals.contains(watchTraffic) {
            throw ValidationError("--watch-traffic has to be 50ms to an hour")
        }
    }

    /// Refuses a way for probes where none is sent: what the kernel knows is told of all ways, and an option that
    /// changes nothing would be lost without a word. Not for `explain`, which has its subject all the same.
    func checkWay() throws {
        if noProbe, let flag = way.givenFlags.first {
            throw ValidationError("\(flag) is for probes, and --no-probe sends none: leave one of them out")
        }
    }

    /// What the file says, with what stands on the command line in its place.
    ///
    /// - Throws: ``ConfigurationFileError`` or ``CAFileError`` where a file cannot be used.
    func configuration(timeout: Duration?) throws -> ConnectivityConfiguration {
        var configuration = try config.map { try ConfigurationFile.read($0) } ?? ConnectivityConfiguration()
        apply(to: &configuration, timeout: timeout)
        if let file = configuration.certificateAuthorityFile { try CAFileError.check(file) }
        return configuration
    }

    /// Puts what stands on the command line in the place of what a configuration says.
    func apply(to configuration: inout ConnectivityConfiguration, timeout: Duration?) {
        if !targets.isEmpty {
            configuration.targets = targets
            configuration.probesEnabled = true
        }
        applyToTargets(of: &configuration)
        if noProbe { configuration.probesEnabled = false }
        if noDefaultProbes { configuration.asksWitnesses = false }
        interval.map { configuration.interval = $0 }
        timeout.map { configuration.timeout = $0 }
        if traffic || watchTraffic != nil {
            configuration.traffic = TrafficConfiguration(interval: watchTraffic ?? configuration.traffic?.interval)
        }
        trust.caFile.map { configuration.certificateAuthorityFile = $0 }
    }

    /// What is said of how each target is probed, which is for targets of any origin.
    func applyToTargets(of configuration: inout ConnectivityConfiguration) {
        if eachAddress {
            for index in configuration.targets.indices where configuration.targets[index].proxy == nil {
                configuration.targets[index].eachAddress = true
            }
        }
        way.apply(to: &configuration)
    }

    /// The options that were given, without those of the groups in this one.
    var givenFlags: [String] {
        let flags: [(String, Bool)] = [
            ("--config", config != nil), ("--probe", !targets.isEmpty), ("--no-probe", noProbe),
            ("--no-default-probes", noDefaultProbes), ("--each-address", eachAddress), ("--interval", interval != nil),
            ("--traffic", traffic), ("--watch-traffic", watchTraffic != nil),
        ]
        return flags.filter(\.1).map(\.0)
    }

    /// The options that were given.
    var allGivenFlags: [String] { givenFlags + way.givenFlags + trust.givenFlags }

    /// The keys of a configuration whose place flags have taken, with the flags; `targets.interface` is that of each target.
    var flagsByKey: [String: String] {
        let flags: [(String, String, Bool)] = [
            ("targets", "--probe", !targets.isEmpty), ("probes", "--probe", !targets.isEmpty),
            ("probes", "--no-probe", noProbe), ("defaultProbes", "--no-default-probes", noDefaultProbes),
            ("targets.eachAddress", "--each-address", eachAddress),
            ("targets.interface", "--interface", way.interface != nil),
            ("targets.family", way.familyFlag ?? "", way.familyFlag != nil),
            ("interval", "--interval", interval != nil), ("traffic", "--traffic", traffic),
            ("traffic", "--watch-traffic", watchTraffic != nil), ("caFile", "--ca-file", trust.caFile != nil),
        ]
        return Dictionary(flags.filter(\.2).map { ($0.0, $0.1) }) { $1 }
    }
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
