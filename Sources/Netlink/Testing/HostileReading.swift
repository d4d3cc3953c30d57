/// Reads bytes as every kind of message there is, whatever their header says: for tests that feed hostile ones to the
/// parsers that ``NetlinkMessageParser`` does not reach.
package enum HostileReading {
    /// - Returns: How many of the readings ended in an error.
    package static func errors(in bytes: UnsafeRawBufferPointer) -> Int {
        rtnetlinkErrors(in: bytes) + errors(in: bytes, ErrorReply.init) + errors(in: bytes, WirelessParser.interface)
            + errors(in: bytes, WirelessParser.peer) + errors(in: bytes, AssociatedNetworkParser.parse)
            + errors(in: bytes, WirelessParser.notification) + errors(in: bytes, WireGuardParser.parse)
            + diagnosisErrors(in: bytes)
    }

    package static func diagnosisErrors(in bytes: UnsafeRawBufferPointer) -> Int {
        errors(in: bytes, DiagnosisParser.parse)
    }

    private static func rtnetlinkErrors(in bytes: UnsafeRawBufferPointer) -> Int {
        errors(in: bytes, LinkParser.parse) + errors(in: bytes, AddressParser.parse)
            + errors(in: bytes, RouteParser.parse) + errors(in: bytes, RuleParser.parse)
            + errors(in: bytes, NexthopParser.parse) + errors(in: bytes, NetconfParser.parse)
            + errors(in: bytes, NDUserOptionParser.parse) + errors(in: bytes, NeighbourParser.parse)
    }

    private static func errors<Value>(
        in bytes: UnsafeRawBufferPointer, _ parse: (Message) throws(NetlinkError) -> Value
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
