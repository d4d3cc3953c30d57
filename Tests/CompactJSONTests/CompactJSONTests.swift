import CompactJSON
import Foundation
import TestSupport
import Testing

@Suite("Compact JSON is what JSONEncoder writes")
struct CompactJSONTests {
    /// What Foundation writes, byte for byte.
    private static func expected(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private static func written(_ value: some Encodable) throws -> String {
        String(decoding: try CompactJSONEncoder().encode(value), as: UTF8.self)
    }

    @Test("random trees of all that can be encoded", arguments: 1...20 as ClosedRange<UInt64>)
    func randomTrees(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let tree = Tree.random(depth: 5, using: &generator)
            #expect(try Self.written(tree) == Self.expected(tree))
        }
    }

    @Test("what was written before is written again as it would be anew", arguments: 1...10 as ClosedRange<UInt64>)
    func fragments(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var fragments = JSONFragments()
        fragments.keep(Tree.self, latest: 4)
        let trees = (0..<8).map { _ in Tree.random(depth: 3, using: &generator) }
        for _ in 0..<50 {
            let some = (0..<6).compactMap { _ in trees.randomElement(using: &generator) }
            let bytes = try CompactJSONEncoder().encode(["some": some], reusing: &fragments)
            #expect(try String(decoding: bytes, as: UTF8.self) == Self.expected(["some": some]))
        }
    }

    @Test("each control character, and those that some escape and others do not")
    func escapes() throws {
        let texts =
            (0...0x20).map { String(UnicodeScalar($0 as UInt8)) } + ["\u{7F}", "\u{2028}", "/", "\\", "\"", "é😀"]
        #expect(try Self.written(texts) == Self.expected(texts))
    }

    @Test(
        "numbers, of which whole ones have no fraction",
        arguments: [
            0, -0.0, 1, -1.5, 0.1, 1e15, 1e16, 1e100, 1e-7, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        ])
    func numbers(number: Double) throws {
        #expect(try Self.written([number]) == Self.expected([number]))
        let single = Float(number.truncatingRemainder(dividingBy: 1000)) / 3
        #expect(try Self.written([single]) == Self.expected([single]))
    }

    @Test("the ends of all widths of integers")
    func integers() throws {
        let ends = Ends()
        #expect(try Self.written(ends) == Self.expected(ends))
    }

    @Test("keys are in the order of their bytes, and the empty one is first")
    func order() throws {
        let keys = [
            "b", "B", "a", "10", "9", "", "é", "e\u{301}z", "z", "interfaces", "interfaceIndex", "interface", "a b",
            "\"",
        ]
        let object = Dictionary(keys.map { ($0, 1) }) { first, _ in first }
        #expect(try Self.written(object) == Self.expected(object))
    }

    @Test("a number that is not finite has no form in JSON", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(number: Double) {
        #expect(throws: EncodingError.self) { try CompactJSONEncoder().encode(["a": [number]]) }
    }

    @Test("a class and what it inherits, nothing at all, and a null")
    func unusualValues() throws {
        #expect(try Self.written(Derived()) == Self.expected(Derived()))
        #expect(try Self.written([Empty()]) == Self.expected([Empty()]))
        #expect(try Self.written(Int?.none) == Self.expected(Int?.none))
    }

    @Test("a container that has ended takes nothing, and says so")
    func ended() {
        #expect(throws: EncodingError.self) { try CompactJSONEncoder().encode(Late()) }
    }
}

private struct Ends: Encodable {
    var words: [Int64] = [.min, .max, 0, -1]
    var bytes: [Int8] = [.min, .max]
    var halves: [Int16] = [.min, .max]
    var largest = UInt64.max
    var small = UInt8.max
    var wide = UInt32.max
    var huge = UInt128.max
    var lowest = Int128.min
    var nothing: Int?
}

private struct Empty: Encodable {}

private class Base: Encodable {
    var name = "base"
}

private final class Derived: Base {
    private enum Keys: CodingKey {
        case own
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(1, forKey: .own)
        try super.encode(to: container.superEncoder())
    }
}

/// Writes to an inner object after the outer one has gone on.
private struct Late: Encodable {
    private enum Keys: CodingKey {
        case first
        case second
    }

    func encode(to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: Keys.self)
        var inner = outer.nestedContainer(keyedBy: Keys.self, forKey: .first)
        try inner.encode(1, forKey: .first)
        try outer.encode(2, forKey: .second)
        try inner.encode(3, forKey: .second)
    }
}
