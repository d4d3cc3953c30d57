import ArgumentParser
import NetwatchService

/// `netwatch record`: a run as a file.
struct RecordCommand: ParsableCommand {
    static let configuration: CommandConfiguration = .init(
        commandName: "record",
        abstract: "Watch, print events as --json does, and write all that led to them to a file.",
        discussion: """
            EXAMPLES:
              netwatch record outage.trace                 until Ctrl-C
              netwatch record outage.trace >/dev/null      only the file
              netwatch record outage.trace --no-probe      only what the kernel says
              netwatch record outage.trace --limit 2G      until the file has that size
              netwatch replay outage.trace                 the same events again
            """)

    @Argument(help: .init("The file to write, in the place of an older one.", valueName: "file"), completion: .file())
    var file: String

    @Option(
        help: .init(
            "End when the file would grow beyond this size: 500K, 64M, 2G (default: 256M). What it holds then is whole.",
            valueName: "size"),
        transform: SizeArgument.parse)
    var limit: Int = 256 << 20

    @OptionGroup var probes: ProbeOptions
    @OptionGroup var probeTimeout: ProbeTimeout
    /// Recording does not end: what is asked to give up is each probe.
    @OptionGroup(visibility: .hidden) var timeLimit: TimeLimit
    @ParentCommand var parent: NetwatchCommand

    func validate() throws {
        try probes.checkWay()
    }

    func run() throws {
        // What it prints is JSON in any case.
        try parent.validateForSubcommand(sharing: SharedOptions.ofProbing.union([.output]))
        let program = RecordProgram(
            configuration: try probes.configuration(timeout: probeTimeout.duration ?? timeLimit.duration), path: file,
            limit: limit)
        try MainLoop.run(handling: RecordProgram.signals) { loop in try await program.run(on: loop) }
    }
}
