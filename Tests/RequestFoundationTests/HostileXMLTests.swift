import Foundation
import RequestCore
import RequestFoundation
import Testing

@Suite("Hostile XML")
struct HostileXMLTests {
    @Test("nothing, and blanks, are an error and no crash", arguments: ["", " ", "\n\n", "\t"])
    func empty(text: String) {
        #expect(throws: XML.Failure.empty) { try XML.Document(Data(text.utf8)) }
    }

    @Test(
        "what is malformed is an error with its place",
        arguments: [
            "<foo", "garbage", "Service Unavailable", "<", "<a><b></a></b>", "<a></b>", "<a/><b/>", "<a x=1/>",
            "<a x='1' x='2'/>", "<a>&bad;</a>",
            "<a>\u{1}</a>", "<a><![CDATA[", "<a><!--", "<p:a/>", "text<a/>", "<a/>text", "<?xml", "<a>&#0;</a>",
        ])
    func malformed(text: String) throws {
        let error = try #require(throws: XML.Failure.self) { try XML.Document(Data(text.utf8)) }
        switch error {
        case .malformed(let line, let column, let explanation):
            #expect(line == 1 && column >= 1 && !explanation.isEmpty)
            if !text.hasPrefix("<") { #expect(explanation == "an element should begin here") }
        case .unknownEntity: break
        default: Issue.record("\(error)")
        }
    }

    @Test("a failed parser fails again")
    func failedAgain() throws {
        var parser = try XML.Parser()
        func fail(_ parser: inout XML.Parser) -> XML.Failure? {
            do { _ = try parser.parse(Data("<a></b>".utf8)) } catch { return error }
            return nil
        }
        let first = fail(&parser)
        #expect(first != nil)
        #expect(fail(&parser) == first)
    }

    @Test("the billion laughs are refused at the first")
    func entityBomb() {
        let declarations = (1...9).map { "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">" }
            .joined()
        let text = "<!DOCTYPE l [<!ENTITY l0 \"lol\">\(declarations)]><l>&l9;</l>"
        #expect(throws: XML.Failure.entityDeclared("l0")) { try XML.Document(Data(text.utf8)) }
    }

    @Test("a value that attributes have by default is refused: it could be long, and of any number of elements")
    func defaultedAttribute() {
        let text = "<!DOCTYPE r [<!ATTLIST a b CDATA 'long' c (x|y) #IMPLIED>]><r><a/></r>"
        #expect(throws: XML.Failure.attributeDefaulted("b")) { try XML.Document(Data(text.utf8)) }
        let harmless = "<!DOCTYPE r [<!ATTLIST a c (x|y) #IMPLIED>]><r><a c='x'/></r>"
        #expect(throws: Never.self) { try XML.Document(Data(harmless.utf8)) }
    }

    @Test("thousands of such values are refused at the first, whatever comes behind them", .timeLimit(.minutes(1)))
    func manyDefaults() throws {
        let defaults = (0..<30_000).map { "a\($0) CDATA ''" }.joined(separator: " ")
        let text = "<!DOCTYPE r [<!ATTLIST a \(defaults)>]><r>" + String(repeating: "<a/>", count: 100_000) + "</r>"
        let start = ContinuousClock.now
        #expect(throws: XML.Failure.attributeDefaulted("a0")) { try XML.Document(Data(text.utf8)) }
        var parser = try XML.Parser()
        do {
            _ = try parser.parse(Data(text.utf8))
            Issue.record("taken")
        } catch {
            #expect(error == .attributeDefaulted("a0"))
        }
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test("the long name of a namespace is no more memory for each element that is in it", .timeLimit(.minutes(1)))
    func longNamespace() throws {
        var parser = try XML.Parser()
        let uri = "urn:" + String(repeating: "a", count: 1 << 20)
        let text = "<r xmlns='\(uri)'>" + String(repeating: "<a/>", count: 100_000) + "</r>"
        var ends = 0
        var rest = Data(text.utf8)
        while !rest.isEmpty {
            for case .end(let name) in try parser.parse(rest.prefix(64 << 10)) where name.namespace == uri { ends += 1 }
            rest = rest.dropFirst(64 << 10)
        }
        _ = try parser.finish()
        #expect(ends == 100_001)
    }

    @Test(
        "no file and no network is asked for an entity",
        arguments: [
            "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><a>&e;</a>",
            "<!DOCTYPE a [<!ENTITY % e SYSTEM \"http://127.0.0.1:9/\"> %e;]><a/>",
            "<!DOCTYPE a [<!ENTITY e PUBLIC \"x\" \"http://127.0.0.1:9/\">]><a b=\"&e;\"/>",
            "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a>&e;</a>",
        ])
    func externalEntity(text: String) {
        #expect(throws: XML.Failure.self) { try XML.Document(Data(text.utf8)) }
    }

    @Test("a document type that declares no entity is passed over")
    func doctype() throws {
        let text =
            "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"http://127.0.0.1:9/x.dtd\"><html>x</html>"
        #expect(try XML.Document(Data(text.utf8)).root.text == "x")
    }

    @Test("depth is bounded")
    func deep() throws {
        func nested(_ depth: Int) -> Data {
            Data((String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)).utf8)
        }
        #expect(throws: Never.self) { try XML.Document(nested(256)) }
        #expect(throws: XML.Failure.tooDeep(limit: 256)) { try XML.Document(nested(257)) }
        #expect(throws: XML.Failure.tooDeep(limit: 256)) { try XML.Document(nested(1_000_000)) }
    }

    @Test("the nodes of a tree are bounded, attributes and texts included")
    func large() throws {
        let limit = XML.Document.maximumNodeCount
        // One node is the root, and 16 are each of these.
        let attributes = (0..<14).map { "a\($0)=''" }.joined(separator: " ")
        let most = String(repeating: "<b \(attributes)/>x", count: limit / 16 - 1)
        let rest = String(repeating: "<c/>", count: 15)
        #expect(throws: Never.self) { try XML.Document(Data("<a>\(most)\(rest)</a>".utf8)) }
        let failure = XML.Failure.tooLarge(limit: limit)
        #expect(throws: failure) { try XML.Document(Data("<a>\(most)\(rest)<c/></a>".utf8)) }
        #expect(failure.description.contains("1048576"))
    }

    @Test("no bytes crash the parser, over seeded damage and every cut")
    func fuzz() throws {
        let sample = Array(
            "<?xml version=\"1.0\"?><r xmlns:p='u' a='&lt;'><p:e>&amp;</p:e><![CDATA[x]]><!--c--></r>".utf8)
        for end in 0..<sample.count {
            #expect(throws: XML.Failure.self) { try XML.Document(Data(sample[..<end])) }
        }
        var state: UInt64 = 20_261_121
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for _ in 0..<1000 {
            var damaged = sample
            for _ in 0..<4 { damaged[next(sample.count)] = UInt8(next(256)) }
            _ = try? XML.Document(Data(damaged))
        }
    }

    @Test("an answer is read under a type of XML, and an error carries what was refused")
    func serializer() throws {
        let url = try #require(URL(string: "http://h/"))
        func response(_ text: String, _ type: String, _ status: Int = 200) -> Response {
            Response(url: url, statusCode: status, headers: ["Content-Type": type], body: Data(text.utf8))
        }
        let serializer = XMLResponseSerializer()
        for type in ["application/xml", "text/xml; charset=utf-8", "application/atom+xml"] {
            #expect(try serializer.serialize(response("<a>x</a>", type)).get()?.root.text == "x")
        }
        #expect(serializer.serialize(response("<a/>", "text/html")).error?.refusesContentType == true)
        let failed = serializer.serialize(response(" ", "text/xml", 500)).error
        guard case .malformed("XML", let error) = failed?.reason else {
            Issue.record()
            return
        }
        #expect(error as? XML.Failure == .empty)
        #expect(failed?.underlying is ResponseSerializationError)
    }
}
