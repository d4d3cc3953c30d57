import ArgumentParser
import Connectivity
import EventLoop
import NetwatchService

/// `netwatch wait`: for scripts and units that need the network first.
struct WaitCommand: ParsableCommand {
    static let configuration: CommandConfiguration = .init(
        commandName: "wait",
        abstract: "Wait until this host is connected as asked for, or until the time is over.",
        discussion: """
            EXAMPLES:
              netwatch wait && rsync ...                 until all targets answer
              netwatch wait --for path --no-probe        for a path; sends nothing
              netwatch wait --for wifi --timeout 2m      until the path leaves by Wi-Fi
              netwatch wait --for https://example.org/   until this answers
              netwatch wait --probe shop=https://shop.test/ --for shop

            The exit status is 0 once it is so; else it says what is missing, as that of
            netwatch status does.
            """)

    @Option(
        name: .customLong("for"),
        help: .init(
            "What to wait for: full, limited, portal, local, path, ethernet, wifi, wwan, the name of a target, or a URL (default: full).",
            valueName: "state"),
        completion: .list(WaitGoal.states),
        transform: { try WaitGoal($0) })
    var goal = WaitGoal(condition: .connectivity(.full))

    @Flag(name: .shortAndLong, help: "Say nothing of what is missing: the exit status tells it.")
    var quiet = false

    @OptionGroup var timeLimit: TimeLimit
    @OptionGroup var probes: ProbeOptions
    @OptionGroup var probeTimeout: ProbeTimeout
    @ParentCommand var parent: NetwatchCommand

    private var limit: Duration { timeLimit.duration ?? .seconds(30) }
    // The parser hands an option that `netwatch` itself has too to that command, wherever it stands.
    private var isQuiet: Bool { quiet || parent.serving.quiet }

    func validate() throws {
        if probes.noProbe, goal.needsProbes {
            throw ValidationError("without probes nothing is known to answer: add --for path, or leave --no-probe out")
        }
        // It would be met by any path, also of the other family and by another interface.
        if !goal.needsProbes, let flag = probes.way.givenFlags.first {
            throw ValidationError("\(flag) is for probes, and none is needed for this: leave it out, or wait for a URL")
        }
    }

    func run() throws {
        try parent.validateForSubcommand(sharing: SharedOptions.ofProbing.union([.quiet]))
        var configuration = try goal.configuration(try probes.configuration(timeout: probeTimeout.duration))
        // The goal may have brought a target of its own.
        probes.applyToTargets(of: &configuration)
        let program = WaitProgram(
            configuration: configuration, condition: goal.condition(in: configuration), limit: limit)
        let (status, text) = try MainLoop.run { loop in try await program.run(on: loop) }
        guard status != .success else { return }
        if !isQuiet { StandardStreams.tell("not within \(limit.words): \(text)") }
        throw ExitRequest(status: status)
    }
}
