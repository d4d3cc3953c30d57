import ArgumentParser
import Connectivity
import NetwatchService

/// `netwatch explain`: where the way to something is broken.
struct ExplainCommand: ParsableCommand {
    static let configuration: CommandConfiguration = .init(
        commandName: "explain",
        abstract: "Look at each step of the way to something, and say which is broken and what to try.",
        discussion: """
            EXAMPLES:
              netwatch explain                              the way to the first target
              netwatch explain https://example.org/         the way to an address
              netwatch explain --interface wwan0 192.0.2.9  by this interface
            """)

    @Argument(help: .init("An address or a host; the first target where none is given.", valueName: "url-or-host"))
    var subject: String?

    @OptionGroup var probes: ProbeOptions

    @OptionGroup var timeLimit: TimeLimit
    /// It probes once.
    @OptionGroup(visibility: .hidden) var probeTimeout: ProbeTimeout
    @OptionGroup var output: OutputOptions
    @ParentCommand var parent: NetwatchCommand

    func run() throws {
        try parent.validateForSubcommand(sharing: SharedOptions.ofProbing.union([.output]))
        let program = ExplainProgram(
            configuration: try configuration(), subject: subject, interface: probes.way.interface,
            family: probes.way.onlyFamily, eachAddress: probes.eachAddress, defaultProbes: !probes.noDefaultProbes,
            isJSON: output.json)
        let status = try MainLoop.run { loop in try await program.run(on: loop) }
        if status != .success { throw ExitRequest(status: status) }
    }

    /// A limit that is given is that of the one probe there is, also where the file has another one for its target.
    private func configuration() throws -> ConnectivityConfiguration {
        let limit = timeLimit.duration ?? probeTimeout.duration
        var configuration = try probes.configuration(timeout: limit)
        guard limit != nil else { return configuration }
        for index in configuration.targets.indices { configuration.targets[index].timeout = nil }
        return configuration
    }
}
