#if Service
import ArgumentParser
import NetwatchService

/// `netwatch status`: one answer, and an exit status for scripts.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tell the state now and end; the exit status says it to scripts.",
        discussion: """
            EXAMPLES:
              netwatch status                        in one line
              netwatch status --json | jq .path      all of it
              netwatch status --no-probe >/dev/null || echo "no path"
            """)

    @OptionGroup var probes: ProbeOptions

    @Flag(help: "Write the whole state as one JSON object.")
    var json = false

    func run() async throws {
        let status = try await StatusProgram(configuration: try probes.configuration(), isJSON: json).run()
        if status != .success { throw Verdictless(status: status) }
    }
}
#endif
