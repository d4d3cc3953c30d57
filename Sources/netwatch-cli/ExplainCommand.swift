#if Service
import ArgumentParser
import NetwatchService
import NetworkAddress

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

    @Option(help: .init("The interface to go by.", valueName: "name"))
    var interface: String?

    @Option(
        help: .init("The only family to use: ipv4 or ipv6.", valueName: "family"),
        transform: { text in
            guard let family = AddressFamily(rawValue: text) else { throw ValidationError("write ipv4 or ipv6") }
            return family
        })
    var family: AddressFamily?

    @OptionGroup var probes: ProbeOptions
    @OptionGroup var probeTimeout: ProbeTimeout
    @OptionGroup var output: OutputOptions
    @ParentCommand var parent: NetwatchCommand

    func run() throws {
        try parent.validateForSubcommand()
        let program = ExplainProgram(
            configuration: try probes.configuration(timeout: probeTimeout.timeout), subject: subject,
            interface: interface, family: family, eachAddress: probes.eachAddress, isJSON: output.json)
        let status = try MainLoop.run { loop in try await program.run(on: loop) }
        if status != .success { throw Verdictless(status: status) }
    }
}
#endif
