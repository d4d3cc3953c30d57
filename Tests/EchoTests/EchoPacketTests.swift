import NetworkAddress
import Testing

@testable import Echo

@Suite("An echo packet")
struct EchoPacketTests {
    private let request = EchoPacket(sequence: 0x1234, token: 0x0123_4567_89AB_CDEF)

    @Test("comes back from its reply as it was sent", arguments: [(AddressFamily.ipv4, UInt8(0)), (.ipv6, 129)])
    func reply(family: AddressFamily, type: UInt8) throws {
        var bytes = request.request(family)
        #expect(bytes.count == EchoPacket.count)
        #expect(EchoPacket(reply: bytes, family) == nil, "a request is no reply")
        bytes[0] = type
        let packet = try #require(EchoPacket(reply: bytes, family))
        #expect(packet.sequence == request.sequence)
        #expect(packet.token == request.token)
    }

    @Test("is not read from what is cut, of another kind, or nothing")
    func malformed() {
        let bytes = request.request(.ipv4)
        for count in 0..<EchoPacket.count {
            #expect(EchoPacket(returned: bytes.prefix(count), .ipv4) == nil)
        }
        #expect(EchoPacket(returned: bytes, .ipv4)?.token == request.token)
        #expect(EchoPacket(returned: bytes, .ipv6) == nil)
        #expect(EchoPacket.sequence(returned: bytes.prefix(8), .ipv4) == request.sequence)
        #expect(EchoPacket.sequence(returned: bytes.prefix(7), .ipv4) == nil)
        #expect(EchoPacket.sequence(returned: bytes, .ipv6) == nil)
        #expect(EchoPacket(reply: [3] + bytes.dropFirst(), .ipv4) == nil)
    }
}
