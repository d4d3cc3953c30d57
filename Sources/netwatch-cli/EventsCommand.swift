import ArgumentParser
import NetwatchService

/// `netwatch events`: what the service sees.
struct EventsCommand: ParsableCommand {
    static let configuration: CommandConfiguration = .init(
        commandName: "events",
        abstract: "Follow the events of the service: one JSON object a line, the first with the state as it is.",
        discussion: """
            Where no service runs, netwatch --json tells the same by itself.

            EXAMPLES:
              netwatch events                          all of them
              netwatch events --kind transition        only changes of the state
              netwatch events --target shop | jq .targets
            """)

    @Option(
        help: .init("Only events of this kind, beside the first; repeatable.", valueName: "kind"),
        completion: .list(["transition", "path", "target", "uplink", "portal"]))
    var kind: [String] = []

    @Option(help: .init("Only events about this target; repeatable.", valueName: "name"))
    var target: [String] = []

    @Option(
        help: .init("Only events about this interface; repeatable.", valueName: "name"),
        completion: .shellCommand("ls /sys/class/net"))
    var about: [String] = []

    @OptionGroup var socket: SocketOption
    @ParentCommand var parent: NetwatchCommand

    func run() throws {
        // What it prints is JSON in any case.
        try parent.validateForSubcommand(sharing: [.output])
        let parameters =
            kind.map { ("kind", $0) } + target.map { ("target", $0) } + about.map { ("interface", $0) }
        let status = try EventsProgram(path: socket.path, parameters: parameters).run()
        if status != .success { throw ExitRequest(status: status) }
    }
}
