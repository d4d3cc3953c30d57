import NetworkAddress
import Testing

@testable import Netlink

@Suite("A WireGuard device that is told in several messages")
struct WireGuardPartTests {
    private static func peer(_ endpoint: String?, _ prefixes: String...) -> WireGuardPeer {
        var peer = WireGuardPeer()
        peer.endpoint = endpoint.flatMap { IPAddress($0) }
        peer.prefixes = prefixes.compactMap { IPPrefix($0) }
        return peer
    }

    private static func part(_ peers: WireGuardPeer..., first: UInt8, last: UInt8) -> WireGuardPart {
        var part = WireGuardPart()
        part.device.peers = peers
        (part.firstKey, part.lastKey) = ([first], [last])
        return part
    }

    @Test("keeps a peer together that begins in one message and goes on in the next ones")
    func split() throws {
        let parts = [
            Self.part(Self.peer("192.0.2.1", "10.1.0.0/16"), Self.peer("192.0.2.2", "0.0.0.0/1"), first: 1, last: 2),
            Self.part(Self.peer(nil, "10.2.0.0/16"), first: 2, last: 2),
            Self.part(Self.peer(nil, "128.0.0.0/1"), Self.peer("192.0.2.3", "0.0.0.0/0"), first: 2, last: 3),
        ]
        let device = try #require(WireGuardPart.joined(parts))
        #expect(device.peers.map(\.endpoint) == ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map { IPAddress($0) })
        let destinations = ["8.8.8.8", "200.160.0.1"].compactMap { IPAddress($0) }
        #expect(device.endpoints(for: destinations).map(\.description) == ["192.0.2.2"])
    }

    @Test("takes peers with other keys for others")
    func others() throws {
        let parts = [
            Self.part(Self.peer("192.0.2.1", "10.1.0.0/16"), first: 1, last: 1),
            Self.part(Self.peer(nil, "10.2.0.0/16"), first: 2, last: 2),
        ]
        #expect(try #require(WireGuardPart.joined(parts)).peers.count == 2)
        #expect(WireGuardPart.joined([]) == nil)
    }

    @Test("is known by no more peers than decide, none of which has another's prefixes")
    func bounded() throws {
        let parts = (0..<4).map { number -> WireGuardPart in
            var part = WireGuardPart()
            part.device.peers = (0..<100).map { Self.peer("10.0.\(number).\($0)", "192.168.\(number).\($0)/32") }
            // The last peer of the third goes on in the fourth.
            (part.firstKey, part.lastKey) = ([UInt8(number)], [number == 2 ? 3 : 100])
            return part
        }
        let peers = try #require(WireGuardPart.joined(parts)).peers
        #expect(peers.count == 256)
        #expect(peers.allSatisfy { $0.prefixes.count == 1 })
    }
}
