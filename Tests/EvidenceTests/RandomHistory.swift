import EventLoop
import Evidence
import NetworkAddress

/// A model that is told anything at any time, and what it made of it.
struct RandomHistory {
    private(set) var model: Assessor
    private(set) var now = MonotonicTime(nanoseconds: 5_000_000_000)
    private(set) var announcements: [Announcement] = []
    private var open: [Ask] = []
    private var hosts: [Ask.ID: Host] = [:]
    private var wake: MonotonicTime?
    private var random: SplitMix64
    let targets: [Watched]

    private static let gateway = Way(interface: "eth0", gateway: IPAddress("192.0.2.1"))
    private static let link = Way(interface: "eth0")
    private static let other = Way(interface: "eth0", gateway: IPAddress("2001:db8::1"), family: .ipv6)
    private static let tunnel = Way(interface: "wg0")
    private static let server = IPAddress("192.0.2.53")

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        targets = Self.targets()
        model = Assessor(Settings(targets: targets), at: now, seed: seed)
        send(.network(Self.wellNetwork))
    }

    private static func targets() -> [Watched] {
        var targets = (0..<4).map { Watched(name: "target\($0)", interval: .seconds(5)) }
        targets[1].transport = .secure
        targets[3].name = nil
        targets[3].addresses = [IPAddress("192.0.2.77")].compactMap(\.self)
        var reference = Watched(role: .witness, name: "reference", interval: .seconds(60))
        reference.addresses = ["198.51.100.1", "2001:db8::51"].compactMap(IPAddress.init)
        reference.hasKnownAnswer = true
        return targets + [reference]
    }

    private static var wellNetwork: Network {
        Network(
            ways: [Network.Course(gateway, reachesAll: true), Network.Course(link)],
            nameServers: [server].compactMap(\.self))
    }

    mutating func send(_ input: Assessor.Input) {
        let output = model.reduce(input, at: now)
        output.announcement.map { announcements.append($0) }
        open.removeAll { output.cancelled.contains($0.id) }
        open += output.asks
        wake = output.wake
    }

    // MARK: Anything

    mutating func step() {
        now = now.advanced(by: .milliseconds(Int.random(in: 0...400, using: &random)))
        switch Int.random(in: 0..<40, using: &random) {
        case 0: send(.network(anyNetwork()))
        case 1: send(.resumed)
        case 2: send(.requested)
        case 3: send(.trafficHeard(anyWay(), sentAt: now))
        case 4: send(.trafficSilent(anyWay(), since: now))
        case 5: send(.ended(UInt64.random(in: 0...300, using: &random), .expected))
        case 6: now = now.advanced(by: .seconds(Int.random(in: 1...90, using: &random)))
        case 7: send(.dated(anyTarget(), offset: Self.offsets.randomElement(using: &random) ?? 0))
        case 8..<14: advance()
        default: answerOne()
        }
    }

    private mutating func anyNetwork() -> Network {
        var network = Self.wellNetwork
        switch Int.random(in: 0..<6, using: &random) {
        case 0: network = Network(isReachable: false)
        case 1: network.ways.append(Network.Course(Self.other, reachesAll: true))
        case 2: network.ways.append(Network.Course(Self.tunnel, reachesAll: true, below: ["eth0"]))
        case 3: network.nameServers = []
        default: break
        }
        return network
    }

    private mutating func anyWay() -> Way {
        [Self.gateway, Self.link, Self.other, Self.tunnel].randomElement(using: &random) ?? Self.link
    }

    private mutating func anyTarget() -> Int { Int.random(in: targets.indices, using: &random) }

    /// By how many seconds answers are dated ahead.
    private static let offsets: [Int64] = [0, 3, -150_000, 900_000]

    private mutating func advance() {
        guard let wake, wake > now else { return send(.timer) }
        now = wake
        send(.timer)
    }

    private mutating func answerOne() {
        guard let index = open.indices.randomElement(using: &random) else { return advance() }
        let ask = open[index]
        if hosts[ask.id] == nil, Int.random(in: 0..<8, using: &random) > 0 {
            let host = host(of: ask, by: anyWay())
            hosts[ask.id] = host
            return send(.sent(ask.id, host))
        }
        if let host = hosts[ask.id], Bool.random(using: &random) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: send(.missed(ask.id, host.address, .told))
            case 1: send(.missed(ask.id, host.address, .silent))
            default: send(.heard(ask.id, host.address, after: .milliseconds(Int.random(in: 1...1500, using: &random))))
            }
            return
        }
        open.removeAll { $0.id == ask.id }
        hosts[ask.id] = nil
        send(.ended(ask.id, anyAnswer(to: ask)))
    }

    private func host(of ask: Ask, by way: Way) -> Host {
        switch ask.question {
        case .probe(_, let addresses): Host(address: addresses.first ?? .v4(IPv4Address(rawValue: 1)), way: way)
        case .touch(let host, _): host
        case .name(_, let server): Host(address: server ?? .v4(IPv4Address(rawValue: 1)), way: way)
        }
    }

    private mutating func anyAnswer(to ask: Ask) -> Answer {
        let answers: [Answer] = [
            .expected, .expected, .expected, .nothing, .nothing, .wrong(.refused), .elsewhere, .untrusted,
            .outOfTime(UntimelyCertificate(name: "old", offsets: -200_000 ... -100_000)), .outOfTime(), .unsent,
            .noRoute, .void,
        ]
        guard case .name(let name, _) = ask.question else { return answers.randomElement(using: &random) ?? .void }
        let words: [Answer] = [
            .addresses([Self.address(of: name)], lifetime: .seconds(30)), .noAddress(.nameNotFound),
            .noAddress(.nameServerFailed), .nothing, .unsent, .void,
        ]
        return words.randomElement(using: &random) ?? .void
    }

    private static func address(of name: String) -> IPAddress {
        .v4(IPv4Address(rawValue: 0xCB00_7100 + UInt32(name.utf8.last ?? 0)))
    }

    // MARK: All well

    /// Everything is answered as it should be from now on.
    mutating func settle(_ duration: Duration) {
        let end = now.advanced(by: duration)
        send(.network(Self.wellNetwork))
        while now < end {
            if open.isEmpty { advance() } else { answerWell(open.removeFirst()) }
            now = now.advanced(by: .milliseconds(1))
        }
    }

    private mutating func answerWell(_ ask: Ask) {
        let host = hosts.removeValue(forKey: ask.id) ?? host(of: ask, by: Self.gateway)
        send(.sent(ask.id, host))
        now = now.advanced(by: .milliseconds(10))
        send(.heard(ask.id, host.address, after: .milliseconds(10)))
        guard case .name(let name, _) = ask.question else { return send(.ended(ask.id, .expected)) }
        send(.ended(ask.id, .addresses([Self.address(of: name)], lifetime: .seconds(30))))
    }

    /// How many targets are known to be up.
    var up: Int { targets.indices.count { targets[$0].role != .witness && model.health(of: $0).status == .up } }
}
