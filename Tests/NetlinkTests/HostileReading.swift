@testable import Netlink

/// Reads bytes as every kind of message there is, whatever their header says, and so by the parsers too that
/// ``NetlinkMessageParser`` does not reach.
enum HostileReading {
    /// - Returns: How many of the readings ended in an error.
    static func errors(in bytes: Span<UInt8>) -> Int {
        rtnetlinkErrors(in: bytes) + errors(in: bytes, ErrorReply.init) + errors(in: bytes, WirelessParser.interface)
            + errors(in: bytes, WirelessParser.peer) + errors(in: bytes, AssociatedNetworkParser.parse)
            + errors(in: bytes, WirelessParser.notification) + errors(in: bytes, WireGuardParser.parse)
            + diagnosisErrors(in: bytes)
    }

    static func diagnosisErrors(in bytes: Span<UInt8>) -> Int {
        errors(in: bytes, DiagnosisParser.parse)
    }

    private static func rtnetlinkErrors(in bytes: Span<UInt8>) -> Int {
        errors(in: bytes, LinkParser.parse) + errors(in: bytes, AddressParser.parse)
            + errors(in: bytes, RouteParser.parse) + errors(in: bytes, RuleParser.parse)
            + errors(in: bytes, NexthopParser.parse) + errors(in: bytes, NetconfParser.parse)
            + errors(in: bytes, NDUserOptionParser.parse) + errors(in: bytes, NeighbourParser.parse)
    }

    private static func errors<Value>(
        in bytes: Span<UInt8>, _ parse: (Message) throws(NetlinkError) -> Value
    ) -> Int {
        do throws(NetlinkError) {
            try Message.forEach(in: bytes) { (message) throws(NetlinkError) in
                let value = try parse(message)
                withExtendedLifetime(value) {}
            }
            return 0
        } catch {
            return 1
        }
    }
}
