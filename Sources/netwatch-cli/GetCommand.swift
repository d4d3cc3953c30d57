import ArgumentParser
import FoundationEssentials
import NetwatchService
import RequestEngine

/// `netwatch get`: the request core's own command line.
struct GetCommand: ParsableCommand {
    static let configuration: CommandConfiguration = .init(
        commandName: "get",
        abstract: "Fetch an address, over a chosen interface if need be, and show where the time went.",
        discussion: """
            Redirects are followed. A file is written under another name beside it and
            gets its own once it is whole; what has come of one that fails or is
            interrupted is kept for --continue.

            EXAMPLES:
              netwatch get https://example.org/                     to standard output
              netwatch get --verbose https://my.test/ >/dev/null    where the time went
              netwatch get --interface wwan0 http://example.org/    by this link only
              netwatch get --output f --continue https://my.test/f  where it broke off
            """)

    @Argument(help: .init("An http or https address.", valueName: "url"), transform: GetCommand.url)
    var url: URL

    @Option(
        name: [.short, .long], help: .init("Write to this file, which is whole or untouched.", valueName: "path"),
        completion: .file())
    var output: String?

    @Flag(name: .customLong("continue"), help: "Go on with what an earlier try has left of the output file.")
    var resumes = false

    @Flag(name: [.short, .long], help: "Show each request and its phases on standard error.")
    var verbose = false

    @Option(
        help: .init("Accept only a server with this public key: sha256//BASE64; repeatable.", valueName: "pin"),
        transform: { try PublicKeyPin($0) })
    var pin: [PublicKeyPin] = []

    @OptionGroup var way: WayOptions
    @OptionGroup var timeLimit: TimeLimit
    @OptionGroup var trust: TrustOptions
    @ParentCommand var parent: NetwatchCommand

    func validate() throws {
        if resumes, output == nil {
            throw ValidationError("--continue needs the file to go on with: add --output PATH")
        }
        if let output, output.isEmpty || GetProgram.isFolder(output) {
            let what = output.isEmpty ? "nothing" : "'\(output)', a folder"
            throw ValidationError("--output has to name a file, and names \(what)")
        }
    }

    func run() throws {
        try parent.validateForSubcommand(sharing: [.way, .trust, .timeLimit])
        let program = GetProgram(try request(), output: output, resumes: resumes, isVerbose: verbose)
        let status = try MainLoop.run(handling: GetProgram.signals) { loop in try await program.run(on: loop) }
        if status != .success { throw ExitRequest(status: status) }
    }

    /// libcurl gives half of it to the first of several addresses: a silent one is not to keep the next waiting for long.
    private static let connectTimeout = Duration.seconds(10)

    private func request() throws -> Request {
        var request = Request(url: url)
        request.interface = way.interface.map { .name($0) }
        request.family = way.onlyFamily
        request.timeouts.connect = Self.connectTimeout
        request.timeouts.total = timeLimit.duration
        if trust.caFile != nil || !pin.isEmpty { request.securityPolicy = try policy() }
        return request
    }

    private func policy() throws -> SecurityPolicy {
        var policy = SecurityPolicy()
        if let file = try trust.checkedFile() { policy.anchors = .file(file) }
        if !pin.isEmpty {
            policy.pinningMode = .publicKey
            policy.pinnedPublicKeys = Set(pin)
        }
        return policy
    }

    @Sendable private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text), url.host() != nil, ["http", "https"].contains(url.scheme?.lowercased())
        else {
            throw ValidationError("write an address as http://HOST/PATH or https://HOST/PATH")
        }
        return url
    }
}
