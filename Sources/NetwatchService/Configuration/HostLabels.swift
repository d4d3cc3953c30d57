import Netwatch

/// What a host may be called, and which labels it may have.
enum HostLabels {
    /// More than these would be a load for every series and every event.
    private static let most = 16
    private static let longest = 256

    /// - Throws: ``ConfigurationError`` for a name that cannot stand in a topic: NATS closes a connection over a dot.
    static func check(name: String, at key: String) throws(ConfigurationError) {
        guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(isPartOfName) else {
            throw .invalid(
                key: key, reason: "expected 1 to 64 letters, digits, - and _, found \(DisplayText.safe(name))")
        }
    }

    /// - Throws: ``ConfigurationError`` for a label that Prometheus cannot have.
    static func check(labels: [String: String], at key: String) throws(ConfigurationError) {
        guard labels.count <= most else {
            throw .invalid(key: key, reason: "expected \(most) labels at most, found \(labels.count)")
        }
        for (name, value) in labels.sorted(by: { $0.key < $1.key }) {
            guard isLabel(name) else {
                throw .invalid(
                    key: key,
                    reason: "a label is made of letters, digits and _, as site, and is none of Prometheus's own; found "
                        + DisplayText.safe(name))
            }
            guard value.utf8.count <= longest else {
                throw .invalid(key: "\(key).\(name)", reason: "expected \(longest) bytes at most, found more")
            }
        }
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        isPartOfLabel(byte) || byte == UInt8(ascii: "-")
    }

    private static func isLabel(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= 64 else { return false }
        return name.utf8.allSatisfy(isPartOfLabel) && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
            && !name.hasPrefix("__") && !["le", "quantile"].contains(name)
    }

    private static func isPartOfLabel(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
