#if Service
import ArgumentParser
import NetwatchService

/// `netwatch wait`: for scripts and units that need the network first.
struct WaitCommand: ParsableCommand {
    static let configuration: CommandConfiguration = .init(
        commandName: "wait",
        abstract: "Wait until this host is connected as asked for, or until the time is over.",
        discussion: """
            EXAMPLES:
              netwatch wait && rsync ...             until all targets answer
              netwatch wait --for path --no-probe    until there is a path; sends nothing
              netwatch wait --for wifi --limit 2m    until the path leaves by Wi-Fi

            The exit status is 0 once it is so; else it says what is missing, as that of netwatch status does.
            """)

    @Option(
        name: .customLong("for"),
        help: .init("What to wait for: full, path, ethernet, wifi or wwan.", valueName: "state"))
    var goal: WaitProgram.Goal = .full

    @Option(help: .init("How long to wait (default: 30s).", valueName: "time"), transform: DurationArgument.parse)
    var limit: Duration = .seconds(30)

    @OptionGroup var probes: ProbeOptions
    @ParentCommand var parent: NetwatchCommand

    func validate() throws {
        if probes.noProbe, goal == .full {
            throw ValidationError("without probes nothing is known to answer: add --for path, or leave --no-probe out")
        }
    }

    func run() throws {
        try parent.validateForSubcommand()
        let program = WaitProgram(configuration: try probes.configuration(), goal: goal, limit: limit)
        let (status, text) = try MainLoop.run { loop in try await program.run(on: loop) }
        guard status != .success else { return }
        if !parent.quiet { StandardStreams.tell("not within \(limit): \(text)") }
        throw Verdictless(status: status)
    }
}

extension WaitProgram.Goal: ExpressibleByArgument {}
#endif
