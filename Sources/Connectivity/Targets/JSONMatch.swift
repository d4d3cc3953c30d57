internal import FoundationEssentials
internal import JSON

/// What a JSON body has to hold: a place in it, and the value there.
public struct JSONMatch: Hashable, Sendable, Codable {
    /// The place, as a JSON pointer (RFC 6901): `/status/code`, `/servers/0`; empty for the whole text.
    public var pointer: String
    /// The value as a JSON text: `"up"`, `1`, `true`, `null`; nil where it is enough that the place is there.
    public var value: String?

    public init(pointer: String, value: String? = nil) {
        self.pointer = pointer
        self.value = value
    }

    /// Whether a body is JSON and holds it. Numbers are compared by what they are worth.
    func matches(_ body: [UInt8]) -> Bool {
        guard let path = JSONPointer(pointer), let root = try? Self.read(Data(body)), let found = path.value(in: root)
        else { return false }
        guard let value else { return true }
        guard let expected = try? Self.read(Data(value.utf8)) else { return false }
        if let number = expected.doubleValue, expected.intValue == nil || found.intValue == nil {
            return found.doubleValue == number
        }
        return found == expected || (expected.intValue != nil && found.intValue == expected.intValue)
    }

    /// Checks that pointer and value can be read.
    func validate(_ target: String) throws(TargetError) {
        guard JSONPointer(pointer) != nil else {
            throw .option("JSON pointer", target: target, reason: "'\(pointer)' is none (RFC 6901): write it as /a/b/0")
        }
        guard let value else { return }
        do throws(JSONSyntaxError) {
            _ = try Self.read(Data(value.utf8))
        } catch {
            throw .option("JSON value", target: target, reason: "\(error)")
        }
    }

    private static func read(_ text: Data) throws(JSONSyntaxError) -> JSONValue {
        var options = JSONReadingOptions()
        options.allowsFragments = true
        options.maximumDepth = 64
        return try JSONValue(json: text, options: options)
    }
}
