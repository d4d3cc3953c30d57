import Foundation
import RequestCore
import TestSupport
import Testing

@Suite("File names from servers")
struct ContentDispositionTests {
    @Test(
        "the examples of RFC 6266 and what servers send",
        arguments: [
            ("Attachment; filename=example.html", "example.html"),
            ("INLINE; FILENAME= \"an example.html\"", "an example.html"),
            ("attachment; filename*= UTF-8''%e2%82%ac%20rates", "€ rates"),
            ("attachment; filename=\"EURO rates\"; filename*=utf-8''%e2%82%ac%20rates", "€ rates"),
            ("attachment; filename*=UTF-8'en'a.txt; filename=b", "a.txt"),
            ("attachment; filename*=iso-8859-1''%A3", "£"),
            ("attachment; filename=\"a\\\"b\"", "a\"b"), ("attachment; filename=ä.txt", nil),
            ("attachment; filename=\"ä\"", "ä"),
            ("attachment; filename*=UTF-8''%FF; filename=\"b\"", "b"), ("attachment; filename*=x''a; filename=b", "b"),
            ("attachment; filename*=UTF-8''%4; filename=b", "b"), ("attachment; filename*=nothing; filename=b", "b"),
            ("attachment", nil), ("attachment; size=3", nil), ("attachment;;;filename=a;", "a"),
            ("attachment; filename=a[1].txt", "a[1].txt"), ("attachment; filename=; size=3", nil),
        ] as [(String, String?)])
    func fileName(field: String, name: String?) {
        #expect(ContentDisposition(field)?.fileName == name)
    }

    @Test("the type is in small letters, and must be there")
    func type() {
        #expect(ContentDisposition("ATTACHMENT; filename=a")?.type == "attachment")
        #expect(ContentDisposition("") == nil)
        #expect(ContentDisposition("; filename=a") == nil)
    }

    @Test(
        "a name is made safe",
        arguments: [
            ("a.txt", "a.txt"), ("../../etc/passwd", "passwd"), ("..\\..\\boot.ini", "boot.ini"),
            ("/etc/shadow", "shadow"),
            ("..", nil), (".", nil), ("...", nil), ("", nil), (" ", nil), ("a/..", nil), (".bashrc", "bashrc"),
            ("a/", "a"),
            (" . .x", "x"), ("a\0b\r\nc\u{7F}", "abc"), ("evil\u{202E}txt.exe", "eviltxt.exe"), (" a b ", "a b"),
            ("~", "~"),
            ("-rf", "-rf"), ("日本.txt", "日本.txt"), ("\u{200B}", nil), ("a/\u{338}b", "\u{338}b"),
            (".\u{301}x", "\u{301}x"),
        ] as [(String, String?)])
    func sanitising(untrusted: String, name: String?) {
        #expect(FileName(untrusted)?.rawValue == name)
    }

    @Test("a long name keeps its extension and no half of a character")
    func long() throws {
        let name = try #require(FileName(String(repeating: "日", count: 200) + ".tar")).rawValue
        #expect(name == String(repeating: "日", count: 83) + ".tar")
        #expect(name.utf8.count == 253)
        #expect(try #require(FileName(String(repeating: "a", count: 300))).rawValue.utf8.count == 255)
        #expect(FileName("e" + String(repeating: "\u{301}", count: 300) + ".txt") == nil)
    }

    @Test("no name of seeded characters leaves its folder")
    func property() {
        var generator = SeededGenerator(seed: 6266)
        for _ in 0..<2000 {
            let parts = ["/", "\\", "..", ".", "\0", " ", generator.text(maximum: 6), generator.text(maximum: 200)]
            let text = (0..<6).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
            guard let name = FileName(text)?.rawValue else { continue }
            #expect(!name.utf8.contains { [0x2F, 0x5C, 0].contains($0) } && name.utf8.first != 0x2E)
            #expect(!name.isEmpty && name.utf8.count <= 255)
        }
    }

    @Test(
        "without a name the URL gives one",
        arguments: [
            ("http://h/a/b.zip?x=1", nil, "b.zip"), ("http://h/a", "attachment; filename=\"../c\"", "c"),
            ("http://h/a", "attachment; filename=\"..\"", "a"), ("http://h/", nil, nil), ("http://h", nil, nil),
            ("http://h/a/%2e%2e%2fb", nil, "b"), ("http://h/dir/", nil, "dir"),
        ] as [(String, String?, String?)])
    func suggested(url: String, field: String?, name: String?) throws {
        var headers = HeaderFields()
        headers["Content-Disposition"] = field
        #expect(headers.suggestedFileName(for: try #require(URL(string: url)))?.rawValue == name)
    }
}
