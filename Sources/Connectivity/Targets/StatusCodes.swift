/// A set of HTTP status codes, written as ranges.
public struct StatusCodes: Hashable, Sendable {
    public var ranges: [ClosedRange<Int>]

    /// A set of codes that are in any of these ranges, from 100 to 999.
    public init(_ ranges: [ClosedRange<Int>]) {
        self.ranges = ranges
    }

    /// Whether a code is one of them.
    public func contains(_ code: Int) -> Bool {
        ranges.contains { $0.contains(code) }
    }
}

extension StatusCodes: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: ClosedRange<Int>...) {
        self.init(elements)
    }
}

extension StatusCodes: LosslessStringConvertible {
    /// A set from its text: codes and ranges with commas between, `200-299,304`.
    public init?(_ description: String) {
        var ranges: [ClosedRange<Int>] = []
        for part in description.split(separator: ",", omittingEmptySubsequences: false) {
            guard let range = Self.range(part) else { return nil }
            ranges.append(range)
        }
        self.init(ranges)
    }

    public var description: String {
        ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    private static func range(_ text: Substring) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard ends.count <= 2, let first = ends.first, let last = ends.last, let first, let last,
            100 <= first, first <= last, last <= 999
        else { return nil }
        return first...last
    }
}

extension StatusCodes: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let codes = StatusCodes(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is not a list of status codes such as 200-299,304")
        }
        self = codes
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
