import ArgumentParser
import NetwatchService

/// `netwatch serve`: the service.
struct ServeCommand: ParsableCommand {
    static let configuration: CommandConfiguration = .init(
        commandName: "serve",
        abstract: "Watch as a service: by a file, with health and metrics over HTTP, and a log on standard output.",
        discussion: """
            The configuration is /etc/netwatch/netwatch.yaml, if it is there; variables
            such as NETWATCH_INTERVAL go before it, and options before those. SIGHUP and
            netwatch reload read it anew.

            EXAMPLES:
              netwatch serve                               by /etc/netwatch/netwatch.yaml
              netwatch serve --check                       say what is wrong, start nothing
              netwatch serve --check --verbose             each value, and where it is from
              netwatch serve --config lab.yaml --listen [::1]:19115
              NETWATCH_SERVICE_SOCKET=none netwatch serve  without the Unix socket
            """)

    @Flag(help: "Read the configuration, say what is wrong with it, and end.")
    var check = false

    @Flag(help: "With --check: write each value, and where it is from.")
    var verbose = false

    @OptionGroup var serving: ServingOptions
    @OptionGroup var probes: ProbeOptions
    @OptionGroup var probeTimeout: ProbeTimeout
    /// Serving does not end: what is asked to give up is each probe.
    @OptionGroup(visibility: .hidden) var timeLimit: TimeLimit
    @OptionGroup var output: OutputOptions
    @ParentCommand var parent: NetwatchCommand

    func validate() throws {
        if verbose, !check { throw ValidationError("--verbose is for --check: add that, or leave both out") }
        try probes.checkWay()
    }

    func run() throws {
        try parent.validateForSubcommand(sharing: SharedOptions.ofProbing.union([.output, .quiet, .listen]))
        let source = ConfigurationSource(path: probes.config, flags: flags)
        if check { return try tell(try source.load()) }
        let program = ServeProgram(
            source: source, format: serving.quiet ? .silent : output.json ? .json : .plain)
        try MainLoop.run(handling: ServeProgram.signals) { loop in try await program.run(on: loop) }
    }

    private var flags: ConfigurationSource.Flags {
        let timeout = probeTimeout.duration ?? timeLimit.duration
        var names = probes.flagsByKey
        if let flag = (probeTimeout.givenFlags + timeLimit.givenFlags).first { names["timeout"] = flag }
        return .init(names: names, listen: serving.listen) { [probes] in
            probes.apply(to: &$0, timeout: timeout)
        }
    }

    private func tell(_ loaded: LoadedConfiguration) throws {
        loaded.warnings.forEach(StandardStreams.tell)
        if verbose { try StandardStreams.show(loaded.listing.map { $0 + "\n" }.joined()) }
    }
}

/// `netwatch reload`: has the service read its configuration anew.
struct ReloadCommand: ParsableCommand {
    static let configuration: CommandConfiguration = .init(
        commandName: "reload",
        abstract: "Have the service read its configuration anew, and tell what has changed or was refused.",
        discussion: """
            A configuration with a mistake changes nothing; the exit status is 78 then.

            EXAMPLES:
              netwatch reload                            the service of this host
              netwatch reload --socket /run/lab/http.sock  another one
            """)

    @OptionGroup var socket: SocketOption
    @ParentCommand var parent: NetwatchCommand

    func run() throws {
        try parent.validateForSubcommand()
        let status = try ReloadProgram(path: socket.path).run()
        if status != .success { throw ExitRequest(status: status) }
    }
}

/// Where the service is asked: the option of the commands that do.
struct SocketOption: ParsableArguments {
    @Option(
        name: .customLong("socket"),
        help: .init("The Unix socket of the service (default: /run/netwatch/http.sock).", valueName: "path"),
        completion: .file())
    var given: String?

    func validate() throws(ValidationError) {
        if given == "" { throw ValidationError("--socket has to name a socket: write its path, or leave it out") }
    }

    var path: String { given ?? ServiceConfiguration.Socket.usualPath }
}
