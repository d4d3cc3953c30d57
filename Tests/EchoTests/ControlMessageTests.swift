import Glibc
import NetworkAddress
import Testing

@Suite("What the kernel says beside a datagram")
struct ControlMessageTests {
    private static let router = IPv6Address("2001:db8::7")

    /// `struct sockaddr_in6` of the router.
    private static let address: [UInt8] =
        [UInt8(AF_INET6), 0, 0, 0, 0, 0, 0, 0] + (router?.bytes ?? []) + [0, 0, 0, 0]

    /// `struct cmsghdr` and what belongs to it, padded as cmsg(3) has it.
    private static func message(_ level: CInt, _ type: CInt, _ data: [UInt8]) -> [UInt8] {
        var bytes = withUnsafeBytes(of: 16 + data.count) { Array($0) }
        bytes += withUnsafeBytes(of: level) { Array($0) } + withUnsafeBytes(of: type) { Array($0) } + data
        return bytes + Array(repeating: 0, count: -bytes.count & 7)
    }

    private static let messages =
        message(CInt(IPPROTO_IPV6), IPV6_HOPLIMIT, [64, 0, 0, 0])
        + message(CInt(IPPROTO_IPV6), IPV6_RECVERR, Array(repeating: 1, count: 16) + address)

    private static func types(_ bytes: [UInt8]) -> [CInt] {
        var types: [CInt] = []
        ControlMessage.forEach(in: bytes.span) { _, type, _ in types.append(type) }
        return types
    }

    @Test("is read message by message, and no further than it is whole")
    func cut() {
        #expect(Self.types(Self.messages) == [IPV6_HOPLIMIT, IPV6_RECVERR])
        // The padding behind the last may be missing.
        let last = Self.messages.count - 4
        for count in 0..<last {
            let whole = Self.types(Array(Self.messages.prefix(count)))
            #expect(whole == (count < 20 ? [] : [IPV6_HOPLIMIT]), "\(count) bytes")
        }
        #expect(Self.types(Array(Self.messages.prefix(last))).count == 2)
    }

    @Test("ends with a length that is none", arguments: [0, 15, 1 << 20, -1, .max, .min])
    func hostileLength(length: Int) {
        var bytes = Self.messages
        bytes.replaceSubrange(0..<8, with: withUnsafeBytes(of: length) { Array($0) })
        #expect(Self.types(bytes).isEmpty)
    }

    @Test("tells which router sent an error, where all of its address is there")
    func offender() {
        let data = Array(repeating: 1, count: 16) + Self.address
        #expect(ErrorQueue.offender(ofError: data.span) == Self.router.map(IPAddress.v6))
        for count in 0..<data.count {
            let cut = Array(data.prefix(count))
            #expect(ErrorQueue.offender(ofError: cut.span) == nil, "\(count) bytes")
        }
    }

    @Test("a socket address shorter than its family's is none, and so is one of another family")
    func socketAddress() {
        let short: [UInt8] = [UInt8(AF_INET), 0, 0, 80, 192, 0, 2, 1] + Array(repeating: 0, count: 7)
        #expect(IPAddress(socketAddress: short.span) == nil)
        let whole = short + [0]
        #expect(IPAddress(socketAddress: whole.span) == IPAddress("192.0.2.1"))
        let other = [UInt8(AF_UNIX)] + Array(whole.dropFirst())
        #expect(IPAddress(socketAddress: other.span) == nil)
    }
}
