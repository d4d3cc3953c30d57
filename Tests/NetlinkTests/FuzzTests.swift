import NetworkAddress
import TestSupport
import Testing

@testable import Netlink

/// Runs under the address sanitizer too: `swift test --sanitize=address --disable-xctest --filter Fuzz`.
@Suite(
    "Fuzz: the parsers over hostile bytes", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here")
)
struct FuzzTests {
    /// Every kind of message, as this kernel sends it.
    private static func capture() async throws -> [[UInt8]] {
        let namespace = try TestNamespace()
        return try await namespace.inside {
            let groups = NetlinkGroups.all.union(.neighbourDiscoveryOption)
            let handle = try NotificationSocket.open(
                groups, receiveBufferSize: NotificationSocket.defaultReceiveBufferSize)
            var listener = Listener(adopting: handle, readBufferSize: NotificationSocket.defaultReadBufferSize)
            try namespace.ip(
                """
                link add w0 type veth peer name p0
                link add br0 type bridge
                link add link w0 name mac0 type macvlan
                link set p0 master br0
                link property add dev w0 altname another-name
                link set w0 up
                link set p0 up
                address add 192.0.2.10/24 dev w0
                address add 198.51.100.1 peer 198.51.100.2/32 dev w0
                address add 2001:db8::10/64 dev w0 nodad
                nexthop add id 10 via 192.0.2.1 dev w0
                nexthop add id 11 via 192.0.2.2 dev w0
                nexthop add id 20 group 10,3/11
                nexthop add id 21 blackhole
                route add 203.0.113.0/24 nhid 20
                route add 203.0.114.0/24 nexthop via 192.0.2.1 dev w0 nexthop via 192.0.2.2 dev w0 weight 7
                route add 2001:db8:1::/48 via 2001:db8::1 dev w0 expires 600
                rule add priority 5 from 192.0.2.0/24 fwmark 0x7/0xff iif w0 table 77
                """)
            try namespace.run("sysctl", "-w", "net.ipv4.conf.w0.rp_filter=1")
            try namespace.ip("link del w0")
            var captured: [[UInt8]] = []
            let report = listener.drain(budget: NotificationSocket.defaultBudget) { (message) in
                captured.append(Array(message.bytes))
            }
            #expect(!report.needsResync)
            return captured + [Self.userOption, Self.refusal]
        }
    }

    /// RTM_NEWNDUSEROPT with a portal's address, as `ndisc_ra_useropt` builds it.
    private static let userOption: [UInt8] = {
        let option: [UInt8] = [37, 3] + Array("https://p.example/api".utf8) + [0]
        let fixed: [UInt8] = [10, 0, 24, 0, 2, 0, 0, 0, 134, 0, 0, 0, 0, 0, 0, 0]
        let source: [UInt8] = [20, 0, 1, 0, 0xFE, 0x80] + Array(repeating: 0, count: 13) + [1]
        let length = UInt8(16 + fixed.count + option.count + source.count)
        return [length, 0, 0, 0, 68, 0] + Array(repeating: 0, count: 10) + fixed + option + source
    }()

    /// NLMSG_ERROR with EINVAL, the request's header and four bytes of its payload, and the kernel's words.
    private static let refusal: [UInt8] = {
        let words: [UInt8] = [12, 0, 1, 0] + Array("too bad".utf8) + [0]
        let request: [UInt8] = [20, 0, 0, 0, 26, 0] + Array(repeating: 0, count: 14)
        let length = UInt8(16 + 4 + request.count + words.count)
        return [length, 0, 0, 0, 2, 0, 0, 2] + Array(repeating: 0, count: 8) + [0xEA, 0xFF, 0xFF, 0xFF] + request
            + words
    }()

    private static func parse(_ bytes: [UInt8]) -> Result<NetlinkNotification?, NetlinkError> {
        lend(bytes) { buffer in
            do throws(NetlinkError) {
                return .success(try NetlinkMessageParser.parse(Message(first: buffer)))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Lends the bytes in memory of exactly their length, so that a sanitizer sees the first byte too many.
    private static func lend<Result>(_ bytes: [UInt8], _ body: (Span<UInt8>) -> Result) -> Result {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        defer { copy.deallocate() }
        _ = copy.initialize(from: bytes)
        return body(copy.span)
    }

    @Test("Fuzz: unchanged, every captured message is understood, and every kind is among them")
    func unchanged() async throws {
        let notifications = try await Self.capture().dropLast().map { try Self.parse($0).get() }
        let kinds = Set(notifications.compactMap { $0.map(Self.kind) })
        #expect(kinds == ["link", "address", "route", "rule", "nexthop", "netconf", "userOption"])
        #expect(!notifications.contains(nil))
    }

    private static func kind(_ notification: NetlinkNotification) -> String {
        switch notification {
        case .link: "link"
        case .address: "address"
        case .route: "route"
        case .rule: "rule"
        case .nexthop: "nexthop"
        case .netconf: "netconf"
        case .userOption: "userOption"
        }
    }

    /// RTM_NEWNDUSEROPT with a search domain whose label is longer than there is room for, and than any may be.
    private static let longLabel: [UInt8] = {
        let option: [UInt8] = [31, 2, 0, 0, 0, 0, 2, 88, 64] + Array(repeating: 97, count: 7)
        let fixed: [UInt8] = [10, 0, 16, 0, 2, 0, 0, 0, 134, 0, 0, 0, 0, 0, 0, 0]
        return [48, 0, 0, 0, 68, 0] + Array(repeating: 0, count: 10) + fixed + option
    }()

    /// RTM_NEWPREFIX with a length that no prefix has.
    private static let longPrefix: [UInt8] = {
        let fixed: [UInt8] = [10, 0, 0, 0, 2, 0, 0, 0, 3, 200, 0, 0]
        let address: [UInt8] = [20, 0, 1, 0, 0x20, 1, 0x0D, 0xB8] + Array(repeating: 0, count: 12)
        return [48, 0, 0, 0, 52, 0] + Array(repeating: 0, count: 10) + fixed + address
    }()

    @Test(
        "a router's senseless words are passed over, and are no loss of the kernel's",
        arguments: [(longLabel, 40, 7), (longPrefix, 25, 64)] as [([UInt8], Int, UInt8)])
    func advertisement(bytes: [UInt8], position: Int, sensible: UInt8) throws {
        #expect(try Self.parse(bytes).get() == nil)
        var mended = bytes
        mended[position] = sensible
        #expect(try Self.parse(mended).get() != nil)
    }

    @Test(
        "Fuzz: changed at random, a message gives a value or an error", arguments: 1...4)
    func mutated(seed: Int) async throws {
        let captured = try await Self.capture()
        var random = SeededGenerator(seed: UInt64(seed))
        var values = 0
        var errors = 0
        var strayErrors = 0
        for _ in 0..<20_000 {
            var bytes = try #require(captured.randomElement(using: &random))
            Self.mutate(&bytes, using: &random)
            switch Self.parse(bytes) {
            case .success: values += 1
            case .failure(let error):
                errors += 1
                guard case .malformed(let message, let reason) = error, !message.isEmpty, !reason.isEmpty else {
                    Issue.record("not an error of a parser: \(error)")
                    return
                }
            }
            strayErrors += Self.lend(bytes) { HostileReading.errors(in: $0) }
        }
        #expect(values > 1000)
        #expect(errors > 1000)
        #expect(strayErrors > 1000)
    }

    /// One to four changes; the header's length is mostly made right again, so that what is inside gets its turn.
    private static func mutate(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let position = Int.random(in: 0..<max(1, bytes.count), using: &random)
            guard position < bytes.count else { return }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[position] = .random(in: 0...255, using: &random)
            case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes[position] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            case 3: bytes.removeLast(bytes.count - position)
            case 4: bytes.removeSubrange(position..<min(bytes.count, position + 4))
            default: bytes.insert(contentsOf: bytes[position..<min(bytes.count, position + 8)], at: position)
            }
        }
        guard bytes.count >= 4, Int.random(in: 0..<10, using: &random) > 0 else { return }
        bytes.replaceSubrange(0..<4, with: withUnsafeBytes(of: UInt32(bytes.count)) { Array($0) })
    }

    @Test("Fuzz: every prefix of every captured message gives a value or an error")
    func prefixes() async throws {
        for message in try await Self.capture() {
            for count in 0..<message.count {
                guard case .failure(.malformed) = Self.parse(Array(message.prefix(count))) else {
                    Issue.record("\(count) of \(message.count) bytes were taken for a message")
                    return
                }
                var shortened = Array(message.prefix(max(16, count)))
                shortened.replaceSubrange(0..<4, with: withUnsafeBytes(of: UInt32(shortened.count)) { Array($0) })
                _ = Self.parse(shortened)
            }
        }
    }
}
