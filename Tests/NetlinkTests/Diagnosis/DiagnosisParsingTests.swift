import NetworkAddress
import TestSupport
import Testing

@testable import Netlink

/// Messages as the kernel builds them, and as it never would.
@Suite("Socket diagnosis: the bytes of it")
struct DiagnosisParsingTests {
    /// `struct tcp_info` of so many bytes, each of which says where it is.
    private func info(_ size: Int) -> TCPInfo? {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        return TCPInfo(bytes.span)
    }

    @Test("a kernel that tells more or less of a connection is understood")
    func sizes() throws {
        let old = try #require(info(104))
        #expect(old.retransmits == 2)
        #expect(old.backoff == 4)
        #expect(old.retransmissionTimeout == 0x0B0A_0908)
        #expect(old.unacknowledged == 0x1B1A_1918)
        #expect(old.lost == 0x2322_2120)
        #expect(old.lastDataReceived == 0x3736_3534)
        #expect(old.lastAcknowledgementReceived == 0x3B3A_3938)
        #expect(old.totalRetransmissions == 0x6766_6564)
        #expect(old.bytesAcknowledged == nil)
        let middle = try #require(info(128))
        #expect(middle.bytesAcknowledged == 0x7F7E_7D7C_7B7A_7978)
        #expect(middle.bytesReceived == nil)
        let new = try #require(info(4096))
        #expect(new.bytesReceived == 0x8786_8584_8382_8180)
        #expect(info(103) == nil)
        #expect(info(0) == nil)
    }

    /// SOCK_DIAG_BY_FAMILY with a connection from ::ffff:192.0.2.10 and one attribute.
    private func message(infoSize: Int) -> [UInt8] {
        let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF, 192, 0, 2, 10]
        let fixed: [UInt8] =
            [10, 1, 1, 1, 0x30, 0x39, 0x01, 0xBB] + mapped + mapped + Array(repeating: 0, count: 12)
            + Array(repeating: 0, count: 20)
        let attribute: [UInt8] = [UInt8(infoSize + 4), 0, 2, 0] + Array(repeating: 7, count: infoSize)
        let length = UInt8(16 + fixed.count + attribute.count)
        return [length, 0, 0, 0, 20, 0, 2, 0] + Array(repeating: 0, count: 8) + fixed + attribute
    }

    private func errors(_ bytes: [UInt8]) -> Int { HostileReading.diagnosisErrors(in: bytes.span) }

    @Test("a structure that is too short is an error, and so is a message cut anywhere")
    func truncated() {
        #expect(errors(message(infoSize: 104)) == 0)
        #expect(errors(message(infoSize: 100)) == 1)
        let whole = message(infoSize: 104)
        for count in 1..<whole.count {
            var cut = Array(whole.prefix(count))
            #expect(errors(cut) == 1, "\(count) of \(whole.count) bytes")
            guard count >= 16 else { continue }
            // With its length put right, the message ends inside a structure, or behind the fixed part without attributes.
            cut[0] = UInt8(count)
            let isWhole = count >= 16 + 72 && count < 16 + 72 + 4
            #expect(errors(cut) == (isWhole ? 0 : 1), "\(count) of \(whole.count) bytes, put right")
        }
    }

    @Test("whatever the bytes are, they give a value or an error", arguments: 1...4)
    func mutated(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var failed = 0
        for _ in 0..<5000 {
            var bytes = message(infoSize: 104)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 16..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            failed += errors(bytes)
        }
        #expect(failed < 5000)
    }
}
