import EventLoop
import Foundation
import NetworkAddress
import RequestCore
import TestSupport
import Testing

@Suite("A host beyond ASCII")
struct InternationalNameTests {
    @Test(
        "is the name that the name system knows",
        arguments: [
            ("bücher.test", "xn--bcher-kva.test"), ("BÜCHER.Test", "xn--bcher-kva.test"),
            ("bu\u{308}cher.test", "xn--bcher-kva.test"), ("gâteau", "xn--gteau-3qa"),
            ("việt.vn", "xn--vit-5kz.vn"), ("vie\u{323}\u{302}t.vn", "xn--vit-5kz.vn"),
            ("faß.de", "xn--fa-hia.de"), ("FAẞ.de", "xn--fa-hia.de"),
            ("пример.испытание", "xn--e1afmkfd.xn--80akhbyknj4f"),
            ("παράδειγμα.δοκιμή", "xn--hxajbheg2az3al.xn--jxalpdlp"),
            ("उदाहरण.परीक्षा", "xn--p1b6ci4b4b3a.xn--11b5bs3a9aj6g"),
            ("日本語。ＪＰ", "xn--wgv71a119e.jp"), ("か\u{3099}き\u{3099}.jp", "xn--v8je.jp"),
            ("한국.kr", "xn--3e0b707e.kr"), ("\u{1112}\u{1161}\u{11AB}국.kr", "xn--3e0b707e.kr"),
            ("نامه\u{200C}ای.com", "xn--mgba3gch31f060k.com"), ("☃.net", "xn--n3h.net"),
            ("b\u{AD}ücher.test.", "xn--bcher-kva.test."), ("example.com", "example.com"),
            ("EXAMPLE.com", "EXAMPLE.com"),
            ("１２７.0.0.1", "127.0.0.1"),
        ])
    func ascii(name: String, expected: String) {
        #expect(InternationalName.ascii(name) == expected)
    }

    @Test(
        "that would be taken for something else is refused",
        arguments: [
            "ﬁ.test", "①.test", "bü／cher.test", "bü cher.test", "a/b.test", "a b.test", "a\u{0}b.test", "bücher..test",
            "\u{301}bücher.test", "-bücher.test", "bücher-.test", "bü\u{202E}cher.test", "a\u{200C}ü.test",
            "ab--ü.test",
            String(repeating: "ü", count: 64) + ".test",
            Array(repeating: String(repeating: "ü", count: 30), count: 8).joined(separator: "."),
        ])
    func refused(name: String) {
        #expect(InternationalName.ascii(name) == nil)
    }

    private static let spellings = ["bücher.test", "b%C3%BCcher.test", "BÜCHER.test", "xn--bcher-kva.test"]

    @Test("is asked for by its name in ASCII, however it is spelled", arguments: spellings)
    func asked(host: String) async throws {
        let server = try SocketServer { connection in
            let header = connection.readRequest()
            connection.send(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(header.utf8.count)\r\n\r\n\(header)")
        }
        var configuration = SessionConfiguration()
        configuration.addresses = ["bücher.test": ["127.0.0.1"].compactMap { IPAddress($0) }]
        let session = try Session(configuration: configuration, loop: EventLoop())
        let url = try #require(URL(string: "http://\(host):\(server.port)/a?b=ü#c"))
        let header = String(decoding: try await session.response(for: Request(url: url)).body, as: UTF8.self)
        let lines = header.split(separator: "\r\n").map { $0.lowercased() }
        #expect(lines.first == "get /a?b=%c3%bc http/1.1")
        #expect(lines.contains("host: xn--bcher-kva.test:\(server.port)"), "\(header)")
    }

    @Test("is the base of references, and stands in them")
    func references() throws {
        let base = try BaseURL("https://bücher.test/v1")
        #expect(base.url.absoluteString == "https://xn--bcher-kva.test/v1/")
        #expect(try base.resolve("//münchen.test/x").absoluteString == "https://xn--mnchen-3ya.test/x")
        #expect(
            try base.resolve("https://user@münchen.test:81/").absoluteString == "https://user@xn--mnchen-3ya.test:81/")
        #expect(throws: RequestError.self) { try base.resolve("bücher") }
        let request = try HTTPRequestSerializer().request(.get, "http://bücher.test/")
        #expect(request.url.absoluteString == "http://xn--bcher-kva.test/")
    }

    @Test("is what a certificate has to be for", .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
    func certificate() async throws {
        let authority = try CertificateAuthority()
        for (name, isTrusted) in [("xn--bcher-kva.test", true), ("xn--mnchen-3ya.test", false)] {
            let certificate = try authority.issue("server", CertificateRequest(names: ["DNS:\(name)"]))
            let server = try TLSServer(certificate)
            var request = try server.request(SecurityPolicy(anchors: .file(authority.rootFile)), host: "bücher.test")
            request.addresses = ["127.0.0.1"].compactMap { IPAddress($0) }
            let session = try Session(loop: EventLoop())
            let wanted = request
            if isTrusted {
                #expect(try await session.response(for: wanted).statusCode == 200)
            } else {
                await #expect(throws: RequestError.self) { try await session.response(for: wanted) }
            }
        }
    }

    @Test("is what a pattern of hosts names", arguments: ["bücher.test", "*.test", "xn--bcher-kva.test:443"])
    func pattern(text: String) throws {
        #expect(try HostPattern(text).matches(host: "xn--bcher-kva.test", port: 443))
        #expect(try HostPattern(text).matches(host: "bücher.test", port: 443))
        #expect(try HostPattern("*.bücher.test").matches(host: "a.xn--bcher-kva.test", port: 443))
    }

    @Test("a host that is none is an error that names the URL")
    func noName() async throws {
        let session = try Session(loop: EventLoop())
        let url = try #require(URL(string: "http://a%2Fb.test/"))
        let error = await #expect(throws: RequestError.self) { try await session.response(for: Request(url: url)) }
        #expect(error?.reason == .invalidURL("http://a%2Fb.test/", problem: "has a host that is no name"))
    }

    @Test("a port that there is not is refused", arguments: ["http://127.0.0.1:99999/", "http://127.0.0.1:65536/"])
    func port(text: String) async throws {
        let session = try Session(loop: EventLoop())
        let request = Request(url: try #require(URL(string: text)))
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        guard case .invalidURL(text, let problem)? = error?.reason else { throw SessionFailureTests.Unexpected(error) }
        #expect(problem.contains("the last one is 65535"))
        #expect(throws: RequestError.self) { try BaseURL(text) }
        #expect(throws: RequestSerializationError.self) { try HTTPRequestSerializer().request(.get, text) }
    }
}
