import ArgumentParser
import NetwatchService

/// `netwatch history`: what the service has seen.
struct HistoryCommand: ParsableCommand {
    static let configuration: CommandConfiguration = .init(
        commandName: "history",
        abstract: "Tell how long what the service watches was up and down, and how its probes went.",
        discussion: """
            The service is asked; where none runs, its file is read. Up, down, unknown
            and suspended are together the time that has passed by the wall clock.
            Unknown is also when no service ran.

            EXAMPLES:
              netwatch history                               the last 24 hours
              netwatch history --since 30d --csv > month.csv
              netwatch history --target shop --json | jq .targets[0].availability
            """)

    @Option(
        help: .init("How far back: 90m, 24h, 30d (default: 24h).", valueName: "time"),
        transform: { text in
            guard let span = HistorySpan(text) else { throw ValidationError("write \(HistorySpan.words)") }
            return span
        })
    var since: HistorySpan?

    @Option(help: .init("Only this target.", valueName: "name"))
    var target: String?

    @OptionGroup var output: OutputOptions

    @Flag(help: "Write comma-separated values, with a header.")
    var csv = false

    @OptionGroup var socket: SocketOption

    @Option(help: .init("Read this file, whether a service runs or not.", valueName: "path"), completion: .file())
    var file: String?

    @ParentCommand var parent: NetwatchCommand

    func validate() throws {
        if csv, output.json { throw ValidationError("--json and --csv are two forms: leave one of them out") }
        if file != nil, socket.given != nil {
            throw ValidationError("--socket asks a service, --file reads a file: leave one of them out")
        }
    }

    func run() throws {
        try parent.validateForSubcommand(sharing: [.output])
        let source: HistoryProgram.Source =
            file.map { .file($0) } ?? socket.given.map { .socket($0) } ?? .usual
        let program = HistoryProgram(
            source: source, since: since ?? .usual, target: target, format: csv ? .csv : output.json ? .json : .text)
        let status = try program.run()
        if status != .success { throw ExitRequest(status: status) }
    }
}
