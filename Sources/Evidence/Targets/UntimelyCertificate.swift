/// A certificate that is not valid at this host's time.
package struct UntimelyCertificate: Hashable, Sendable, Codable {
    /// Which one it is: many servers show the same.
    package var name: String
    /// By how many seconds this host's clock would have to be put on for it to be valid.
    package var offsets: ClosedRange<Int64>

    package init(name: String, offsets: ClosedRange<Int64>) {
        (self.name, self.offsets) = (name, offsets)
    }
}
