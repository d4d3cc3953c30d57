import ArgumentParser
import Netwatch
import NetwatchService

/// `netwatch`: watches this host's connectivity until it is told to stop.
struct NetwatchCommand: ParsableCommand {
    static let configuration: CommandConfiguration = .init(
        commandName: "netwatch",
        abstract: "Tells whether this host can reach what it needs, over which link, and if not, why.",
        discussion: """
            EXAMPLES:
              netwatch                            a live view
              netwatch --json                     one JSON object a line for each change
              netwatch --probe https://my.test/   judge by an address of your own
              netwatch --config office.json       thousands of targets, and all else
              netwatch --no-probe                 only what the kernel knows; sends nothing
              netwatch --listen 127.0.0.1:19115   serve /health, /readyz and /metrics
              netwatch status && echo online      one answer, for scripts
              netwatch serve                      a service, by /etc/netwatch/netwatch.yaml

            \(ExitStatusTable.text)
            """,
        version: NetwatchVersion.current,
        subcommands: [
            StatusCommand.self, WaitCommand.self, ExplainCommand.self, ServeCommand.self, ReloadCommand.self,
            EventsCommand.self, HistoryCommand.self, FleetCommand.self,
            RecordCommand.self, ReplayCommand.self, GetCommand.self,
        ])

    @OptionGroup var probes: ProbeOptions
    @OptionGroup var probeTimeout: ProbeTimeout
    /// Watching does not end: what is asked to give up is each probe.
    @OptionGroup(visibility: .hidden) var timeLimit: TimeLimit

    @OptionGroup var output: OutputOptions

    @Flag(help: "With --json: write a line for each probe that ends, too.")
    var results = false

    @OptionGroup var serving: ServingOptions

    func validate() throws {
        if results, !output.json || serving.quiet {
            throw ValidationError("--results is for --json: add that, or leave both out")
        }
    }

    func run() throws {
        try probes.checkWay()
        let program = WatchProgram(
            configuration: try probes.configuration(timeout: probeTimeout.duration ?? timeLimit.duration),
            format: format, results: results,
            listen: serving.listen)
        try MainLoop.run(handling: program.signals) { loop in try await program.run(on: loop) }
    }

    /// Refuses, for a subcommand, what only makes sense while watching, and what the subcommand does not have.
    ///
    /// - Parameter shared: The groups of options that it has and uses.
    func validateForSubcommand(sharing shared: Set<SharedOptions> = []) throws {
        if serving.listen != nil, !shared.contains(.listen) {
            throw ValidationError("--listen is for netwatch without a subcommand: leave one of them out")
        }
        if results {
            throw ValidationError("--results is for netwatch without a subcommand: leave one of them out")
        }
        if serving.quiet, !shared.contains(.quiet) {
            throw ValidationError("--quiet is for netwatch without a subcommand: leave one of them out")
        }
        for group in SharedOptions.allCases where !shared.contains(group) {
            guard let flag = givenFlags(of: group).first else { continue }
            throw ValidationError("\(flag) means nothing to this command: leave it out")
        }
    }

    private func givenFlags(of group: SharedOptions) -> [String] {
        switch group {
        case .probes: probes.givenFlags
        case .way: probes.way.givenFlags
        case .trust: probes.trust.givenFlags
        case .timeLimit: timeLimit.givenFlags
        case .probeTimeout: probeTimeout.givenFlags
        case .output: output.json ? ["--json"] : []
        case .quiet: serving.quiet ? ["--quiet"] : []
        case .listen: serving.listen == nil ? [] : ["--listen"]
        }
    }

    /// Refuses a command that is not there, and help on one: the parser takes its name for an argument too many, and shows the
    /// whole program's help.
    static func checkCommand(_ arguments: [String]) throws {
        let isHelp = arguments.first == "help"
        let asked = isHelp ? arguments.dropFirst().first { !$0.hasPrefix("-") } : arguments.first
        guard let name = asked, !name.hasPrefix("-") else { return }
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        guard !names.contains(name), name != "help" else { return }
        throw ValidationError("there is no command '\(name)'; there are: \(names.joined(separator: ", "))")
    }

    private var format: WatchProgram.Format {
        if serving.quiet { return .silent }
        if output.json { return .json }
        return LiveView.isPossible ? .live : .plain
    }
}

/// The exit statuses as the help shows them.
private enum ExitStatusTable {
    static var text: String {
        let lines = ExitStatus.allCases.map { status in
            "  \(status.rawValue < 10 ? " " : "")\(status.rawValue)  \(status.meaning)"
        }
        return (["EXIT STATUS:"] + lines).joined(separator: "\n")
    }
}
