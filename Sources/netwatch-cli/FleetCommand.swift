import ArgumentParser
import Fleet
import Glibc
import MQTT
import NetwatchService

/// `netwatch fleet`: many hosts at once, by what they publish over MQTT.
struct FleetCommand: ParsableCommand {
    static let configuration: CommandConfiguration = .init(
        commandName: "fleet",
        abstract: "Follow many hosts by what they publish over MQTT, and tell at which level something is broken.",
        discussion: """
            The hosts run netwatch serve with service.mqtt. A host whose connection broke
            off is cut off, which is not down. With "status" it tells once and ends: with
            0 where all is well, 3 where something is broken, 6 where that is not known.

            EXAMPLES:
              netwatch fleet --broker mqtts://broker.example         a table by site
              netwatch fleet --broker mqtt://127.0.0.1 --json        one line a change
              netwatch fleet status --broker mqtts://broker.example  once, for scripts
            """)

    enum Action: String, ExpressibleByArgument, CaseIterable {
        case status
    }

    @Argument(help: .init("\"status\" tells the state once and ends.", valueName: "status"))
    var action: Action?

    @Option(
        help: .init("A broker, mqtts://HOST:PORT or mqtt://HOST:PORT; repeatable, tried in turn.", valueName: "url"),
        transform: { text throws(ValidationError) in
            do throws(Broker.Mistake) { return try Broker(text) } catch { throw ValidationError("\(error)") }
        })
    var broker: [Broker] = []

    @Option(help: .init("What the topics begin with.", valueName: "topic"))
    var prefix = "netwatch"

    @Option(help: .init("The user's name at the broker.", valueName: "name"))
    var user: String?

    @Option(
        help: .init("A file that begins with the user's password.", valueName: "path"), completion: .file())
    var passwordFile: String?

    @Option(help: .init("This client's certificate, PEM.", valueName: "path"), completion: .file())
    var certificate: String?

    @Option(help: .init("The certificate's key, PEM.", valueName: "path"), completion: .file())
    var key: String?

    @Option(
        help: .init(
            "How often the hosts publish their state; three without a word are stale (default: 60s).", valueName: "time"
        ),
        transform: DurationArgument.parse)
    var heartbeat: Duration?

    /// For "status": without it a fleet is followed until a signal comes.
    @OptionGroup var timeLimit: TimeLimit
    @OptionGroup var trust: TrustOptions
    @OptionGroup var output: OutputOptions
    @ParentCommand var parent: NetwatchCommand

    func validate() throws {
        if broker.isEmpty { throw ValidationError("name a broker: --broker mqtts://HOST") }
        if passwordFile != nil, user == nil { throw ValidationError("--password-file is for --user: add that") }
        if (certificate == nil) != (key == nil) {
            throw ValidationError("--certificate and --key belong together: give both")
        }
        // A topic has as many levels as it has slashes and one: with an empty one no host would ever be found.
        let levels = prefix.split(separator: "/", omittingEmptySubsequences: false)
        if levels.contains("") || prefix.contains(where: { "+#".contains($0) }) {
            throw ValidationError("a prefix is a topic without + and #, with no empty level and no / at its ends")
        }
        if timeLimit.duration != nil, action != .status { throw ValidationError("--timeout is for fleet status") }
    }

    func run() throws {
        try parent.validateForSubcommand(sharing: [.trust, .timeLimit, .output])
        var settings = MQTTSettings(brokers: broker, clientID: "netwatch-fleet-\(UInt32.random(in: 0...UInt32.max))")
        settings.user = user
        settings.passwordFile = passwordFile
        settings.caFile = try trust.checkedFile()
        settings.certificateFile = certificate
        settings.keyFile = key
        var fleet = FleetReducer.Settings()
        if let heartbeat { fleet.heartbeat = heartbeat / .seconds(1) }
        for file in [passwordFile, certificate, key].compactMap(\.self) where unsafe access(file, R_OK) != 0 {
            StandardStreams.tell(unsafe "\(file) cannot be read: \(String(cString: strerror(errno)))")
            throw ExitRequest(status: .noInput)
        }
        let program = FleetProgram(
            settings, prefix: prefix, fleet: fleet, form: form, patience: timeLimit.duration ?? .seconds(10))
        let status = try MainLoop.run(handling: program.signals) { loop in try await program.run(on: loop) }
        if status != .success { throw ExitRequest(status: status) }
    }

    private var form: FleetProgram.Form {
        if action == .status { return .once(isJSON: output.json) }
        return output.json || !LiveView.isPossible ? .lines(isJSON: output.json) : .live
    }
}
