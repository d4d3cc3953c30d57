import ArgumentParser
import Connectivity
import NetwatchService

/// `netwatch status`: one answer, and an exit status for scripts.
struct StatusCommand: ParsableCommand {
    static let configuration: CommandConfiguration = .init(
        commandName: "status",
        abstract: "Tell the state now and end; the exit status says it to scripts.",
        discussion: """
            Where a service runs (netwatch serve), it is asked; not where an option says what to probe and how, or --alone.
            A failure is confirmed a second later: with a --timeout of less than some 2s it may stay unknown.

            EXAMPLES:
              netwatch status                        in one line
              netwatch status --json | jq .path      all of it
              netwatch status --no-probe >/dev/null || echo "no path"
            """)

    @OptionGroup var probes: ProbeOptions
    @OptionGroup var timeLimit: TimeLimit
    @OptionGroup var probeTimeout: ProbeTimeout

    @OptionGroup var output: OutputOptions
    @OptionGroup var socket: SocketOption

    @Flag(help: "Look oneself, also where a service runs.")
    var alone = false

    @ParentCommand var parent: NetwatchCommand

    /// The options that say what this command itself is to probe, and how.
    private var ownFlags: [String] {
        (alone ? ["--alone"] : []) + probes.allGivenFlags + timeLimit.givenFlags + probeTimeout.givenFlags
    }

    func validate() throws {
        if socket.given != nil, let flag = ownFlags.first {
            throw ValidationError("--socket asks a service, \(flag) is for looking oneself: leave one of them out")
        }
        try probes.checkWay()
    }

    func run() throws {
        try parent.validateForSubcommand(sharing: SharedOptions.ofProbing.union([.output]))
        if let status = try serviceStatus() {
            if status != .success { throw ExitRequest(status: status) }
            return
        }
        let program = StatusProgram(configuration: try configuration(), limit: timeLimit.duration, isJSON: output.json)
        let status = try MainLoop.run { loop in try await program.run(on: loop) }
        if status != .success { throw ExitRequest(status: status) }
    }

    /// What the service says; nil where it is not to be asked, or does not know.
    private func serviceStatus() throws -> ExitStatus? {
        if let path = socket.given {
            return try ServiceStatus.tell(at: path, isJSON: output.json, isOnly: true)
        }
        guard ownFlags.isEmpty else { return nil }
        do {
            return try ServiceStatus.tell(at: socket.path, isJSON: output.json, isOnly: false)
        } catch is ServiceAnswerError {
            return nil
        }
    }

    /// A target that does not answer is called down at its second failure: in so short a time both have to have room.
    private func configuration() throws -> ConnectivityConfiguration {
        var configuration = try probes.configuration(timeout: probeTimeout.duration)
        guard let limit = timeLimit.duration else { return configuration }
        let share = max(limit / 3, .milliseconds(1))
        if probeTimeout.duration == nil { configuration.timeout = min(configuration.timeout, share) }
        return configuration
    }
}
