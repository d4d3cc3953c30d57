import EventLoop
import Netlink
import NetworkAddress
import Reachability
import Testing

@testable import Connectivity
@testable import Probing

@Suite("What connections say of an uplink")
struct TrafficEvidenceTests {
    private static let now = MonotonicTime(nanoseconds: 1_000_000_000_000)

    /// A connection by eth0 to a public address.
    private func connection(
        _ state: TCPState = .established, to destination: String = "198.51.100.1", port: UInt16 = 443,
        from source: String = "192.0.2.2", heard age: UInt32 = 0
    ) throws -> TCPSocketMessage {
        var socket = TCPSocketMessage(
            state: state, source: try #require(IPAddress(source)), sourcePort: 40_000,
            destination: try #require(IPAddress(destination)), destinationPort: port)
        socket.info = .quiet(heard: age)
        return socket
    }

    /// The same, which has sent again so often, and last just now.
    private func waiting(
        _ state: TCPState = .established, retransmits: UInt8 = 1, backoff: UInt8 = 1, timeout: UInt32 = 400_000,
        to destination: String = "198.51.100.1", heard age: UInt32
    ) throws -> TCPSocketMessage {
        var socket = try connection(state, to: destination, heard: age)
        socket.info?.retransmits = retransmits
        socket.info?.backoff = backoff
        socket.info?.retransmissionTimeout = timeout
        socket.info?.unacknowledged = 5
        socket.info?.lost = 5
        socket.retransmissionDue = timeout / 1000
        return socket
    }

    private func evidence(_ sockets: [TCPSocketMessage], on path: Path = .addressed) -> [TrafficEvidence] {
        var tally = TrafficTally(path, at: Self.now)
        sockets.forEach { tally.add($0) }
        return tally.evidence
    }

    private func ago(_ milliseconds: Int64) -> MonotonicTime { Self.now.advanced(by: .milliseconds(-milliseconds)) }

    // MARK: What was heard

    @Test("the latest that any of them has heard counts, data or an acknowledgement")
    func heard() throws {
        var acknowledged = try connection(heard: 9000)
        acknowledged.info?.lastAcknowledgementReceived = 250
        let seen = evidence([try connection(heard: 5000), acknowledged])
        #expect(seen.map(\.interface) == ["eth0"])
        #expect(seen.first?.heard == ago(250))
        #expect(seen.first?.stalledSince == nil)
    }

    @Test("one that was never answered has heard nothing, whatever its ages say")
    func neverAnswered() throws {
        #expect(try evidence([connection(.synSent)]).first?.heard == nil)
    }

    @Test("what comes from port 80 proves nothing, because a portal answers there")
    func plainHTTP() throws {
        #expect(try evidence([connection(port: 80)]).first?.heard == nil)
    }

    // MARK: Whose it is

    @Test(
        "connections to this host, its links and private addresses say nothing",
        arguments: ["192.0.2.2", "192.0.2.77", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.1.1"])
    func near(destination: String) throws {
        #expect(try evidence([connection(to: destination)]).isEmpty)
    }

    @Test("one whose address is that of a spare leaves by the route, and says nothing of either")
    func spare() throws {
        #expect(try evidence([connection(from: "203.0.113.2")]).isEmpty)
    }

    @Test("one that is bound speaks for its device, whatever its address")
    func bound() throws {
        var socket = try connection()
        socket.boundInterface = 3
        #expect(evidence([socket]).map(\.interface) == ["wwan0"])
        socket.boundInterface = 99
        #expect(evidence([socket]).isEmpty)
    }

    // MARK: Stalls

    @Test("one that has sent again, with nothing heard since, is a stall from when it first waited")
    func stall() throws {
        let seen = try #require(evidence([try waiting(heard: 210)]).first)
        // One time-out of 200 ms has passed.
        #expect(seen.stalledSince == ago(200))
    }

    @Test("what comes in on the one that waits is no answer: its peer sends again what it has not heard of")
    func oneWay() throws {
        #expect(try evidence([waiting(retransmits: 3, backoff: 3, timeout: 1_600_000, heard: 5)]).first?.heard == nil)
        #expect(try evidence([waiting(heard: 5)]).first?.stalledSince == ago(200))
    }

    @Test(
        "time-outs that were doubled add up",
        arguments: [(2, 2, 600), (3, 3, 1400), (4, 0, 3200)] as [(UInt8, UInt8, Int64)])
    func doubled(retransmits: UInt8, backoff: UInt8, waited: Int64) throws {
        let timeout = UInt32(200_000) << UInt32(backoff)
        let socket = try waiting(
            retransmits: retransmits, backoff: backoff, timeout: backoff == 0 ? 800_000 : timeout, heard: 5000)
        #expect(evidence([socket]).first?.stalledSince == ago(waited))
    }

    @Test("as long as another one hears something, it is the host at the other end")
    func otherHeard() throws {
        #expect(
            try evidence([waiting(heard: 210), connection(to: "198.51.100.2", heard: 20)]).first?.stalledSince == nil)
    }

    @Test("a connection that is not made is a stall too, where nothing else is heard")
    func unmade() throws {
        let socket = try waiting(.synSent, retransmits: 1, backoff: 0, timeout: 1_000_000, heard: .max)
        #expect(evidence([socket]).first?.stalledSince == ago(1000))
    }

    @Test("most packets to several hosts lost is a stall, though something is heard")
    func lossy() throws {
        let lost = try [waiting(heard: 210), waiting(to: "198.51.100.2", heard: 10)]
        let other = try connection(to: "198.51.100.4", heard: 10)
        #expect(evidence(lost + [other]).first?.stalledSince == ago(200))
        #expect(evidence([lost[1], other]).first?.stalledSince == nil)
        var acknowledged = try connection(to: "198.51.100.3", heard: 10)
        acknowledged.info?.unacknowledged = 30
        #expect(evidence(lost + [acknowledged]).first?.stalledSince == nil)
    }
}

extension TCPInfo {
    /// A connection that has sent all it had.
    fileprivate static func quiet(heard age: UInt32) -> TCPInfo? {
        let bytes = [UInt8](repeating: 0, count: 136)
        var info = TCPInfo(bytes.span)
        info?.retransmissionTimeout = 200_000
        info?.lastDataReceived = age
        info?.lastAcknowledgementReceived = age
        return info
    }
}

extension Path {
    /// A path by eth0 with a spare, each with an address.
    fileprivate static var addressed: Path {
        var path = by("eth0", spares: ["wwan0"])
        for (index, text) in ["192.0.2.2", "203.0.113.2"].enumerated() {
            path.interfaces[index].addresses =
                IPAddress(text).map { [InterfaceAddress(address: $0, prefixLength: 24)] } ?? []
        }
        return path
    }
}
