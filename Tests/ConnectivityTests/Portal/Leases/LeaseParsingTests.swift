import NetworkAddress
import TestSupport
import Testing

@testable import Connectivity
@testable import Probing

@Suite("What a DHCP client has kept of a lease")
struct LeaseParsingTests {
    private static let api = "https://portal.test/api"

    /// A server's answer, with other fields than the options where a test wants some there.
    private func message(
        leased: [UInt8] = [10, 77, 0, 25], own: [UInt8] = [0, 0, 0, 0], sname: [UInt8] = [], file: [UInt8] = [],
        options: [UInt8]
    ) -> [UInt8] {
        func padded(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
            bytes + Array(repeating: 0, count: count - bytes.count)
        }
        return padded([2, 1, 6, 0], 12) + own + leased + padded([10, 77, 0, 1], 24) + padded(sname, 64)
            + padded(file, 128) + [0x63, 0x82, 0x53, 0x63] + options
    }

    private func option(_ code: UInt8, _ text: String) -> [UInt8] {
        [code, UInt8(text.utf8.count)] + Array(text.utf8)
    }

    private func parse(_ message: [UInt8]) -> Lease? { Lease.ofDHCPCD(message, file: "eth0.lease") }

    @Test("is the server's message with dhcpcd: the address, and the portal's API among the options")
    func packet() throws {
        let lease = try #require(parse(message(options: [53, 1, 5, 0] + option(114, Self.api) + [255])))
        #expect(lease.interface == "eth0")
        #expect(lease.address == IPAddress("10.77.0.25"))
        #expect(lease.api == Self.api)
        #expect(parse(message(options: [53, 1, 5, 255]))?.api == nil)
        let informed = message(leased: [0, 0, 0, 0], own: [10, 77, 0, 9], options: option(114, Self.api + "\0"))
        #expect(
            parse(informed)
                == Lease(interface: "eth0", address: try #require(IPAddress("10.77.0.9")), api: Self.api))
    }

    @Test("may be spread over parts, and over the fields that the options were let into")
    func spread() {
        let split = option(114, "https://") + option(12, "host") + option(114, "portal.test/api") + [255]
        #expect(parse(message(options: split))?.api == Self.api)
        let overloaded = message(
            sname: option(114, "/api") + [255], file: option(114, "portal.test") + [255],
            options: [52, 1, 3] + option(114, "https://") + [255])
        #expect(parse(overloaded)?.api == Self.api)
        // Without that leave they are names, whatever they look like.
        #expect(parse(message(file: option(114, Self.api) + [255], options: [53, 1, 5, 255]))?.api == nil)
    }

    @Test("is none where the message is cut off, a question, or something else")
    func malformed() throws {
        let whole = message(options: option(114, Self.api) + [255])
        #expect((0..<240).allSatisfy { parse(Array(whole.prefix($0))) == nil })
        for count in 240..<(whole.count - 1) {
            #expect(try #require(parse(Array(whole.prefix(count)))).api == nil)
        }
        #expect(parse([1] + whole.dropFirst()) == nil)
        #expect(parse(whole.map { $0 == 0x63 ? 0 : $0 }) == nil)
        var generator = SeededGenerator(seed: 8910)
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                bytes[Int.random(in: 236..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            #expect(parse(bytes)?.api?.utf8.count ?? 0 <= 1000)
        }
    }

    // MARK: DHCPv6

    /// What dhcpcd 9.4 kept of dnsmasq's answer, byte for byte.
    private static let reply6: [UInt8] =
        [0x07, 0x3C, 0xCA, 0x8E, 0, 1, 0, 14, 0, 1, 0, 1, 0x32, 0x94, 0x99, 0x69, 0x1E, 0x95, 0x42, 0xC3, 0x85, 4]
        + [0, 2, 0, 14, 0, 1, 0, 1, 0x32, 0x94, 0x99, 0x43, 0x66, 0x9A, 0xAA, 0x6F, 0x57, 0x7E]
        + [0, 3, 0, 40, 0x42, 0xC3, 0x85, 4, 0, 0, 1, 0x2C, 0, 0, 2, 0x0D, 0, 5, 0, 24, 0xFD, 0, 0, 1]
        + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 2, 0x58, 0, 0, 2, 0x58]
        + [0, 13, 0, 9, 0, 0] + Array("success".utf8) + [0, 103, 0, 22] + Array("https://check.test/api".utf8)

    @Test("of DHCPv6 is the server's message with dhcpcd, too")
    func packet6() throws {
        #expect(
            Lease.ofDHCPCD6(Self.reply6, file: "up1.lease6")
                == Lease(
                    interface: "up1", address: try #require(IPAddress("fd00:1::40")), api: "https://check.test/api"))
        let without = Array(Self.reply6.dropLast(26))
        #expect(Lease.ofDHCPCD6(without, file: "up1.lease6")?.address == IPAddress("fd00:1::40"))
        #expect(Lease.ofDHCPCD6(without, file: "up1.lease6")?.api == nil)
        for count in 0..<Self.reply6.count {
            #expect(Lease.ofDHCPCD6(Array(Self.reply6.prefix(count)), file: "up1.lease6")?.api == nil)
        }
        var generator = SeededGenerator(seed: 8415)
        for _ in 0..<20_000 {
            var bytes = Self.reply6
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            #expect(Lease.ofDHCPCD6(bytes, file: "up1.lease6")?.api?.utf8.count ?? 0 <= Self.reply6.count)
        }
    }

    @Test("of DHCPv6 is a block with blocks in it with dhclient")
    func log6() throws {
        // As dhclient 4.4 wrote it after an answer of dnsmasq.
        let text = #"""
            default-duid "\000\001\000\0012\224\231DV\240\011\352\362T";
            lease6 {
              interface "up1";
              ia-na 09:ea:f2:54 {
                starts 1795284165;
                renew 300;
                rebind 525;
                iaaddr fd00:1::34 {
                  starts 1795284165;
                  preferred-life 600;
                  max-life 600;
                }
              }
              option dhcp6.client-id 0:1:0:1:32:94:99:44:56:a0:9:ea:f2:54;
              option dhcp6.server-id 0:1:0:1:32:94:99:43:66:9a:aa:6f:57:7e;
              option dhcp6.v6-captive-portal "https://check.test/api";
              option dhcp6.status-code success "success";
            }
            """#
        let address = try #require(IPAddress("fd00:1::34"))
        #expect(leases(text) == [Lease(interface: "up1", address: address, api: "https://check.test/api")])
    }

    // MARK: dhclient

    private func block(_ statements: String...) -> String {
        "lease {\n" + statements.map { "  \($0);\n" }.joined() + "}\n"
    }

    private func leases(_ text: String) -> [Lease] { Lease.ofDHClient(Array(text.utf8)) }

    @Test(
        "is the last of an interface in dhclient's log, whatever option 114 is called there",
        arguments: ["default-url", "captive-portal", "unknown-114"])
    func log(name: String) throws {
        let text =
            block(#"interface "eth0""#, "fixed-address 10.77.0.9", #"option \#(name) "https://old.test/""#)
            + block(#"interface "eth1""#, "fixed-address 10.78.0.9")
            + block(
                #"interface "eth0""#, "fixed-address 10.77.0.11", "option subnet-mask 255.255.255.0",
                #"option \#(name) "\#(Self.api)""#, "renew 6 2026/11/21 14:17:56")
        let eth0 = Lease(interface: "eth0", address: try #require(IPAddress("10.77.0.11")), api: Self.api)
        let eth1 = Lease(interface: "eth1", address: try #require(IPAddress("10.78.0.9")), api: nil)
        #expect(leases(text) == [eth0, eth1])
    }

    @Test("is not what a server writes into another option, and its quotes stay within it")
    func injection() {
        let name = #"x\"; option default-url \"https://evil.test/\012}\012lease {"#
        let text = block(
            #"interface "eth0""#, "fixed-address 10.77.0.11", #"option host-name "\#(name)""#,
            #"option default-url "https://a.test/\"\\\101""#)
        #expect(leases(text).map(\.api) == [#"https://a.test/"\A"#])
    }

    @Test("is none while it is being written, and where what matters is missing or no text")
    func partial() {
        let whole = block(#"interface "eth0""#, "fixed-address 10.77.0.11", #"option default-url "\#(Self.api)""#)
        #expect(leases(String(whole.dropLast(2))).isEmpty)
        #expect(leases(block(#"interface "eth0""#)).isEmpty)
        #expect(leases(block("interface eth0", "fixed-address 10.77.0.11")).isEmpty)
        #expect(
            leases(block(#"interface "eth0""#, "fixed-address 10.77.0.11", "option default-url 1:2")).first?.api == nil)
        #expect(leases("}\nlease {\nlease {\n\n;\n\"\\\n}\n").isEmpty)
    }
}
