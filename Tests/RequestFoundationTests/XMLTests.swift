import Foundation
import RequestFoundation
import Testing

@Suite("XML")
struct XMLTests {
    private static let sample = """
        <?xml version="1.0"?><?style sheet?>
        <r xmlns="urn:d" xmlns:p="urn:p" a="1" p:b="&lt;2&#x20;"><!-- c --><p:e>t&amp;u</p:e><![CDATA[<x>]]></r>
        """

    @Test("a document becomes events in their order")
    func events() throws {
        var parser = try XML.Parser()
        let events = try parser.parse(Data(Self.sample.utf8)) + parser.finish()
        let root = XML.Name("r", namespace: "urn:d")
        let inner = XML.Name("e", prefix: "p", namespace: "urn:p")
        let attributes = [
            XML.Attribute(name: XML.Name("a"), value: "1"),
            XML.Attribute(name: XML.Name("b", prefix: "p", namespace: "urn:p"), value: "<2 "),
        ]
        #expect(events.first == .processingInstruction(target: "style", data: "sheet"))
        #expect(events.contains(.start(root, attributes)))
        #expect(events.contains(.comment(" c ")))
        #expect(events.contains(.start(inner, [])))
        #expect(events.last == .end(root))
        #expect(Self.text(events) == "t&u<x>")
    }

    @Test("the events are the same wherever the document is cut", arguments: [1, 2, 3, 7, 50])
    func cuts(size: Int) throws {
        var whole = try XML.Parser()
        let expected = Self.joined(try whole.parse(Data(Self.sample.utf8)) + whole.finish())
        var parser = try XML.Parser()
        var events: [XML.Event] = []
        let bytes = Array(Self.sample.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += try parser.parse(Data(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(Self.joined(events + (try parser.finish())) == expected)
    }

    @Test("a document becomes a tree")
    func tree() throws {
        let root = try XML.Document(Data(Self.sample.utf8)).root
        #expect(root.name.local == "r")
        #expect(root[attribute: "a"] == "1")
        #expect(root[attribute: "b"] == "<2 ")
        #expect(root.elements(named: "e").first?.text == "t&u")
        #expect(root.elements().count == 1)
        #expect(root.text == "t&u<x>")
        #expect(root.children.first == .comment(" c "))
    }

    @Test("a megabyte of text in many pieces is one node")
    func largeText() throws {
        let text = String(repeating: "0123456789&amp;", count: 100_000)
        let root = try XML.Document(Data("<a>\(text)</a>".utf8)).root
        #expect(root.children.count == 1)
        #expect(root.text.utf8.count == 1_100_000)
    }

    @Test(
        "an ampersand in an attribute is one, however it is written",
        arguments: [
            ("x&amp;y", "x&y"), ("x&#38;y", "x&y"), ("&amp;#38;", "&#38;"), ("&#38;lt;", "&lt;"), ("&amp;&amp;", "&&"),
            ("&amp;&#x301;", "&\u{301}"), ("&lt;&quot;", "<\""),
        ])
    func ampersands(written: String, value: String) throws {
        let root = try XML.Document(Data("<r a=\"\(written)\"/>".utf8)).root
        #expect(root[attribute: "a"] == value)
    }

    @Test("an ampersand in the name of a namespace is one, too")
    func namespaceWithAmpersand() throws {
        let root = try XML.Document(Data("<p:r xmlns:p=\"http://h/?a=1&amp;b=2\" p:c=\"1\"/>".utf8)).root
        #expect(root.name.namespace == "http://h/?a=1&b=2")
        #expect(root.attributes.first?.name.namespace == "http://h/?a=1&b=2")
    }

    @Test("encodings are those of the declaration or the byte order mark")
    func encodings() throws {
        let latin = Data("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>".utf8) + [0xE4] + Data("</a>".utf8)
        #expect(try XML.Document(latin).root.text == "ä")
        let utf16 = try #require("\u{FEFF}<a>ä€</a>".data(using: .utf16LittleEndian))
        #expect(try XML.Document(utf16).root.text == "ä€")
        #expect(throws: XML.Failure.self) { try XML.Document(Data("<a>".utf8) + [0xE4] + Data("</a>".utf8)) }
    }

    @Test("events come while the bytes do")
    func asyncEvents() async throws {
        let (pieces, continuation) = AsyncStream<Data>.makeStream()
        continuation.yield(Data("<a><b".utf8))
        continuation.yield(Data("/>".utf8))
        var iterator = XML.Events(pieces).makeAsyncIterator()
        #expect(try await iterator.next() == .start(XML.Name("a"), []))
        #expect(try await iterator.next() == .start(XML.Name("b"), []))
        #expect(try await iterator.next() == .end(XML.Name("b")))
        continuation.yield(Data("</a>".utf8))
        continuation.finish()
        #expect(try await iterator.next() == .end(XML.Name("a")))
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test("a stream that ends too soon is an error")
    func asyncTruncated() async throws {
        let pieces = AsyncStream<Data> { continuation in
            continuation.yield(Data("<a>".utf8))
            continuation.finish()
        }
        await #expect(throws: XML.Failure.self) { for try await _ in XML.Events(pieces) {} }
    }

    private static func text(_ events: [XML.Event]) -> String {
        events.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    }

    /// The events with neighbouring texts joined.
    private static func joined(_ events: [XML.Event]) -> [XML.Event] {
        events.reduce(into: []) { joined, event in
            if case .text(let piece) = event, case .text(let before) = joined.last {
                joined[joined.count - 1] = .text(before + piece)
            } else {
                joined.append(event)
            }
        }
    }
}
