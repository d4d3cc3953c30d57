import Netlink
import NetworkAddress
import TestSupport
import Testing

@testable import Reachability

@Suite("The index of links")
struct LinkIndexTests {
    @Test("kept change by change it is what it is when made anew", arguments: 1...8)
    func incremental(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var state = NetworkState()
        var index = LinkIndex(state, [:])
        for _ in 0..<2000 {
            let number = UInt32.random(in: 1...40, using: &random)
            for change in Self.change(number, &random) {
                _ = state.apply(change)
                index.update(number, state, [:])
            }
        }
        let anew = LinkIndex(state, [:])
        #expect(index.hardware == anew.hardware)
        #expect(index.aggregates == anew.aggregates)
        #expect(index.tunnels == anew.tunnels)
        #expect(index.wireGuards == anew.wireGuards)
        #expect(index.addressed == anew.addressed)
        #expect(index.cables == anew.cables)
        #expect(index.stacked == anew.stacked)
        for number in 1...41 as ClosedRange<UInt32> {
            #expect(index.classify(number) == anew.classify(number))
            #expect(index.ports(of: number) == anew.ports(of: number))
        }
    }

    private static let kinds: [String?] = [
        nil, "veth", "veth", "veth", "bridge", "vlan", "wireguard", "tun", "dummy", "vrf",
    ]

    private static func change(_ number: UInt32, _ random: inout SeededGenerator) -> [NetlinkNotification] {
        var link = LinkMessage.uplink(number, "l\(number)", kind: pick(kinds, &random))
        var address = AddressMessage(index: number, address: .v4(IPv4Address(rawValue: number)), prefixLength: 24)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return [.link(.deleted, link)]
        case 1: return [.address(.deleted, address)]
        case 2, 3:
            address.scope = 0
            return [.address(.new, address)]
        default:
            link.controllerIndex = pick([nil, nil, 3, 41], &random)
            link.lowerIndex = pick([nil, 1], &random)
            link.lowerNamespaceID = pick([nil, 0], &random)
            if Bool.random(using: &random) { link.flags = [] }
            return [.link(.new, link)]
        }
    }

    private static func pick<Choice>(_ choices: [Choice?], _ random: inout SeededGenerator) -> Choice? {
        choices[Int.random(in: choices.indices, using: &random)]
    }
}
