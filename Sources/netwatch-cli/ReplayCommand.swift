import ArgumentParser
import NetwatchService

/// `netwatch replay`: the events of a recorded run again.
struct ReplayCommand: ParsableCommand {
    static let configuration: CommandConfiguration = .init(
        commandName: "replay",
        abstract: "Print the events of a recorded run again, byte for byte, without waiting.",
        discussion: """
            EXAMPLES:
              netwatch replay outage.trace                           each event as JSON
              netwatch replay outage.trace | jq .cause.description   what happened
            """)

    @Argument(help: .init("A file that netwatch record wrote.", valueName: "file"), completion: .file())
    var file: String

    @ParentCommand var parent: NetwatchCommand

    func run() throws {
        // What it prints is JSON in any case.
        try parent.validateForSubcommand(sharing: [.output])
        let program = ReplayProgram(path: file)
        try MainLoop.run { loop in try await program.run(on: loop) }
    }
}
