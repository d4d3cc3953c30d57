#if Service
import ArgumentParser
import NetwatchService

/// `netwatch status`: one answer, and an exit status for scripts.
struct StatusCommand: ParsableCommand {
    static let configuration: CommandConfiguration = .init(
        commandName: "status",
        abstract: "Tell the state now and end; the exit status says it to scripts.",
        discussion: """
            EXAMPLES:
              netwatch status                        in one line
              netwatch status --json | jq .path      all of it
              netwatch status --no-probe >/dev/null || echo "no path"
            """)

    @OptionGroup var probes: ProbeOptions
    @OptionGroup var probeTimeout: ProbeTimeout

    @OptionGroup var output: OutputOptions
    @ParentCommand var parent: NetwatchCommand

    func run() throws {
        try parent.validateForSubcommand()
        let program = StatusProgram(
            configuration: try probes.configuration(timeout: probeTimeout.timeout), isJSON: output.json)
        let status = try MainLoop.run { loop in try await program.run(on: loop) }
        if status != .success { throw Verdictless(status: status) }
    }
}
#endif
