import NetworkAddress
import Testing

@testable import Evidence

@Suite("Hosts by numbers")
struct HostTableTests {
    @Test("no two hosts have one number, however often they have belonged to a target and been forgotten")
    func numbers() {
        var table = HostTable()
        for number in 0..<1000 {
            let host = table.add(Self.address(number), by: 0)
            table.give(host, to: 0)
            table.take(host, from: 0)
            for old in table.takeUnowned() { table.remove(old) }
        }
        let known = (0..<1000).filter { table.index(of: Self.address($0), by: 0) != nil }
        #expect(known.count > 100)
        for number in known {
            let host = table.index(of: Self.address(number), by: 0)
            #expect(host.map { table[$0].address } == Self.address(number))
        }
    }

    private static func address(_ number: Int) -> IPAddress { .v4(IPv4Address(rawValue: 0xC633_0000 + UInt32(number))) }
}
