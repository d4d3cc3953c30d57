import Foundation
import Glibc
import Netwatch
import TestSupport
import Testing

@Suite("An event as JSON is what JSONEncoder writes")
struct EventJSONTests {
    /// What Foundation writes, byte for byte.
    private static func expected(_ event: Event) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(event), as: UTF8.self)
    }

    private static func written(_ event: Event) -> String {
        String(decoding: event.json, as: UTF8.self)
    }

    @Test("an event in which everything has a value, so that no member is forgotten")
    func complete() throws {
        let event = try Event.complete
        #expect(Self.gaps(in: event, at: "event") == [])
        #expect(try Self.written(event) == Self.expected(event))
    }

    @Test("an event in which nothing has a value that need not")
    func bare() throws {
        let event = Event.bare
        #expect(try Self.written(event) == Self.expected(event))
    }

    @Test("a line is the JSON and a line feed")
    func line() throws {
        let event = try Event.complete
        #expect(event.jsonLine == event.json + [UInt8(ascii: "\n")])
        #expect(!event.json.contains(UInt8(ascii: "\n")))
    }

    @Test("the line after a huge one is no different, and does not keep its memory")
    func lineAfterLine() throws {
        var huge = try Event.complete
        huge.cause.description = String(repeating: "é", count: 100_000)
        var line = EventLine()
        for event in [Event.bare, huge, Event.bare, try Event.complete] {
            line.set(event)
            #expect(line.withBytes { Array($0) } == event.jsonLine)
            #expect(line.capacity < 10_000 || event == huge)
        }
    }

    @Test("each control character, and those that some escape and others do not")
    func escapes() throws {
        var event = Event.bare
        for byte in UInt8(0)...0x20 { event.cause.description += String(UnicodeScalar(byte)) + "a" }
        event.cause.description += "\u{7F}\u{2028}/\\\"é😀"
        #expect(try Self.written(event) == Self.expected(event))
    }

    @Test("the names of a cause's fields are in the order of their bytes, and the empty one is first")
    func order() throws {
        var event = Event.bare
        for key in ["b", "B", "a", "10", "9", "", "é", "e\u{301}z", "z", "a b", "\"", "interfaces", "interface"] {
            event.cause.fields[key] = "1"
        }
        #expect(try Self.written(event) == Self.expected(event))
    }

    @Test("the ends of the integers")
    func integers() throws {
        var event = Event.bare
        event.seq = .max
        event.time = 0
        event.omittedTargets = .min
        event.latency = 9
        event.since = 10
        #expect(try Self.written(event) == Self.expected(event))
    }

    /// The paths of all optionals in a value that are nil, and of all collections that are empty.
    private static func gaps(in value: Any, at path: String) -> [String] {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional, .collection, .dictionary, .set:
            guard !mirror.children.isEmpty else { return [path] }
            return mirror.children.flatMap { gaps(in: $0.value, at: path) }
        case .struct, .tuple:
            return mirror.children.flatMap { gaps(in: $0.value, at: "\(path).\($0.label ?? "")") }
        default: return []
        }
    }
}

@Suite("IPv6 addresses as text")
struct AddressTextTests {
    @Test("are what inet_ntop(3) writes", arguments: 1...10 as ClosedRange<UInt64>)
    func addresses(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            var number: UInt128 = 0
            // Groups of all lengths, and many that are 0.
            for _ in 0..<8 {
                let group =
                    UInt16.random(in: 0 ... .max, using: &generator) >> UInt16.random(in: 0...20, using: &generator)
                number = number << 16 | UInt128(Bool.random(using: &generator) ? 0 : group)
            }
            #expect(IPv6Address(rawValue: number).description == Self.expected(number))
        }
    }

    private static func expected(_ number: UInt128) -> String {
        var bytes = number.bigEndian
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
