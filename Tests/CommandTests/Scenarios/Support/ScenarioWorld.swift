import Foundation
import SystemPackage
import TestSupport

/// A host, the router that it is connected to, and what lies behind: real links, real servers, the real program.
///
///     host  eth0 10.0.0.2 ─── 10.0.0.1 router ─── 198.51.100.1 … 40   web servers
///           fd00:1::2         fd00:1::1            198.51.100.53       a name server (the router has another one)
///                                                  1.1.1.1 …           what the program asks where it is in doubt
final class ScenarioWorld {
    /// What servers do; the words are those of `Tests/Support/Scripts/beyond.py`.
    enum Mood {
        case well, long, silent, drip, reset, nxdomain, servfail, refused
        case redirect(to: String)
        case status(Int)
        case hijack(to: String)
        case slow(seconds: Double)
        /// Answers say that so many days have gone by.
        case dated(days: Int)

        fileprivate var words: String {
            switch self {
            case .redirect(let place): "redirect \(place)"
            case .status(let code): "status \(code)"
            case .hijack(let address): "hijack \(address)"
            case .slow(let seconds): "slow \(seconds)"
            case .dated(let days): "dated \(days)"
            default: "\(self)"
            }
        }
    }

    static let routerNames = "10.0.0.1"
    static let distantNames = "198.51.100.53"

    let host: TestNamespace
    let router: TestNamespace
    let folder: TemporaryFolder
    private var moods: [String: [String: Mood]] = ["servers": [:], "names": [:]]
    private var hosts: [String: [String]] = [:]
    /// What runs in it, until it is over.
    var processes: [BackgroundProcess] = []
    /// Who issues the servers' certificates, where they have some.
    var authority: CertificateAuthority?
    /// What is between the host and the router, where that is more than a cable.
    private(set) var middle: TestNamespace?

    /// How the host is connected to the router.
    enum Link {
        case cable
        /// One that loses and delays packets, as `setWire` has it.
        case wire
        /// A switch, to which other routers can be connected, and behind which one can go without the carrier.
        case hub
    }

    /// - Parameter nameServer: Which one the host asks.
    init(_ link: Link = .cable, nameServer: String = distantNames) throws {
        host = try TestNamespace()
        router = try TestNamespace()
        folder = try TemporaryFolder()
        // A link has no address before it is given one, so that its paths change with what a scenario does, and else not.
        for namespace in [host, router] { try namespace.run("sysctl", "-qw", "net.ipv6.conf.default.addr_gen_mode=1") }
        try connect(link)
        try router.ip(Self.routerSetup)
        try host.ip(Self.hostSetup)
        try router.run("ip", "-6", "rule", "add", "pref", "100", "lookup", "local")
        try router.run("ip", "-6", "rule", "delete", "pref", "0")
        try router.run("sysctl", "-qw", "net.ipv4.ip_forward=1")
        for number in 1...40 { hosts["t\(number).test"] = [Self.address(number)] }
        try write("hosts", hosts.map { ([$0] + $1).joined(separator: " ") })
        try useNameServers(nameServer)
        try start(
            in: router, "beyond.py", folder.path.string, Self.routerNames, Self.distantNames)
    }

    /// The address of a target.
    static func address(_ number: Int) -> String { "198.51.100.\(number)" }

    // MARK: What is set

    func set(_ mood: Mood, of servers: String...) throws {
        for server in servers { moods["servers"]?[server] = mood }
        try writeMoods("servers")
    }

    /// What name servers do: one of them, all, or any for one name.
    func setNames(_ mood: Mood, of server: String = "all") throws {
        moods["names"]?[server] = mood
        try writeMoods("names")
    }

    /// Where a name leads from now on.
    func move(_ name: String, to addresses: String...) throws {
        hosts[name] = addresses
        try write("hosts", hosts.map { ([$0] + $1).joined(separator: " ") })
    }

    func useNameServers(_ addresses: String...) throws {
        try Data(addresses.map { "nameserver \($0)\n" }.joined().utf8).write(
            to: URL(filePath: folder.path.appending("resolv.conf").string))
    }

    /// The state of the wire: `loss PART`, `delay SECONDS`, `sleep SECONDS`, `limit BYTES`.
    func setWire(_ settings: String...) throws { try write("wire", settings) }

    private func writeMoods(_ file: String) throws {
        try write(file, (moods[file] ?? [:]).map { "\($0) \($1.words)" })
    }

    /// In one step: it is read at any time.
    private func write(_ name: String, _ lines: [String]) throws {
        let text = lines.sorted().map { $0 + "\n" }.joined()
        try Data(text.utf8).write(to: URL(filePath: folder.path.appending(name).string), options: .atomic)
    }

    // MARK: How it is made

    private func connect(_ link: Link) throws {
        guard link != .cable else {
            return try host.connect("eth0", to: router, as: "far")
        }
        let middle = try TestNamespace()
        self.middle = middle
        try middle.connect("left", to: host, as: "eth0")
        try middle.connect("right", to: router, as: "far")
        try middle.ip("link set left up\nlink set right up")
        switch link {
        case .wire: try start(in: middle, "wire.py", folder.path.string, "left", "right")
        default:
            try middle.ip(
                "link add hub type bridge\nlink set hub up\nlink set left master hub\nlink set right master hub")
        }
    }

    /// Starts one of the scripts that the world is made of.
    func start(in namespace: TestNamespace, _ script: String, _ arguments: String...) throws {
        let path = Netwatch.file("Tests/Support/Scripts/\(script)")
        let process = try namespace.start(["/usr/bin/python3", path] + arguments)
        guard process.becomesReady({ process.output.contains("ready\n") }) else {
            throw ProgramRun.NotSeen(description: "\(script) does not run: \(process.output)")
        }
        processes.append(process)
    }

    /// Its own addresses come after the rules by which what lies behind it falls silent.
    private static var routerSetup: String {
        let behind = (1...40).map(address) + [distantNames, "1.1.1.1", "8.8.8.8", "9.9.9.9"]
        let behind6 = (1...5).map { "fd99::\($0)" } + ["2606:4700:4700::1111", "2001:4860:4860::8888"]
        return
            (["address add 10.0.0.1/24 dev far", "address add fd00:1::1/64 dev far nodad", "link set far up"]
            + behind.map { "address add \($0)/32 dev lo" } + behind6.map { "address add \($0)/128 dev lo nodad" }
            + ["rule add pref 100 lookup local", "rule delete pref 0"]).joined(separator: "\n")
    }

    private static let hostSetup = """
        address add 10.0.0.2/24 dev eth0
        link set eth0 up
        route add default via 10.0.0.1 dev eth0
        """
}

extension TestNamespace {
    /// Lays a cable to another namespace.
    func connect(_ name: String, to other: TestNamespace, as itsName: String) throws {
        try run("ip", "link", "add", name, "type", "veth", "peer", "name", itsName, "netns", other.path)
    }
}
