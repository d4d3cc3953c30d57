import Foundation
import NetworkAddress
import RequestCore
import TestSupport
import Testing

@Suite("A request as a command line")
struct CurlCommandTests {
    private func request(_ url: String = "http://h/p?a=1&b=2") throws -> Request {
        Request(url: try #require(URL(string: url)))
    }

    @Test("a plain request needs nothing but its URL")
    func plain() throws {
        #expect(try request().curlCommand.arguments == ["--verbose", "--globoff", "http://h/p?a=1&b=2"])
        #expect(
            try request().curlCommand.description == "curl \\\n\t--verbose \\\n\t--globoff \\\n\t'http://h/p?a=1&b=2'"
        )
    }

    @Test("secrets are hidden unless they are asked for")
    func secrets() throws {
        var request = try request("http://user:secret@h/")
        request.headers = [
            "Authorization": "Bearer secret", "Cookie": "id=secret", "X-API-Key": "secret", "Accept": "*/*",
        ]
        request.credential = .basic(user: "me", password: "secret")
        #expect(!request.curlCommand.description.contains("secret"))
        #expect(request.curlCommand.arguments.contains("Accept: */*"))
        #expect(request.curlCommand.arguments.contains("me:<redacted>"))
        #expect(request.curlCommand.arguments.last == "http://<redacted>@h/")
        let shown = CurlCommand(request, secrets: .shown).arguments
        #expect(shown.contains("Authorization: Bearer secret") && shown.contains("me:secret"))
    }

    @Test("where and how the connection is made")
    func connection() throws {
        var request = try request("https://h.example/")
        request.interface = .name("eth0")
        request.addresses = [try #require(IPAddress("192.0.2.1")), try #require(IPAddress("2001:db8::1"))]
        request.httpVersion = .http2
        request.timeouts = Timeouts(connect: .seconds(5), total: .milliseconds(1500))
        request.proxy = .direct
        request.acceptsCompression = true
        let line = request.curlCommand.description
        #expect(line.contains("--interface 'if!eth0'"))
        #expect(line.contains("--resolve 'h.example:443:192.0.2.1,[2001:db8::1]'"))
        #expect(line.contains("--http2 \\"))
        #expect(line.contains("--connect-timeout 5") && line.contains("--max-time 1.5"))
        #expect(line.contains("--noproxy '*'") && line.contains("--compressed"))
        request.url = try #require(URL(string: "http://h/"))
        #expect(request.curlCommand.arguments.contains("--http2-prior-knowledge"))
    }

    @Test("bodies of every kind")
    func bodies() throws {
        var request = try request()
        request.method = .post
        request.body = .data(Data("it's $HOME `x` !".utf8))
        #expect(
            request.curlCommand.arguments.suffix(5).dropLast() == [
                "--header", "Content-Type:", "--data-raw", "it's $HOME `x` !",
            ])
        request.body = .data(Data([0, 255]))
        #expect(request.curlCommand.description.hasPrefix(#"printf '\000\377' | curl "#))
        request.body = .file(path: "/a file")
        #expect(request.curlCommand.description.contains("--upload-file '/a file'"))
        request.url = try #require(URL(string: "http://h/folder/"))
        #expect(request.curlCommand.description.contains("--data-binary '@/a file'"))
        request.method = .head
        request.body = nil
        #expect(request.curlCommand.arguments.contains("--head"))
    }

    @Test("a real shell sees the very words, whatever they hold, over seeded texts")
    func shell() throws {
        var generator = SeededGenerator(seed: 17)
        for _ in 0..<30 {
            var request = try request()
            request.method = .post
            let text = generator.text(maximum: 60).filter { $0 != "\0" }
            request.headers = [
                "X-Text": "'\"\\$(touch x)`id`!*?[~ #&;|<>\t" + text.filter { !$0.isNewline && $0 != "\r\n" }
            ]
            request.body = .data(Data((text + "'\n").utf8))
            let command = request.curlCommand
            #expect(try words(of: command) == command.arguments)
        }
    }

    @Test("a quote that bears a mark is one to the shell, and ends nothing", arguments: ["\u{301}", "\u{200D}"])
    func markedQuote(mark: String) throws {
        var request = try request()
        request.method = .post
        request.body = .data(Data("x'\(mark);true;'\(mark)".utf8))
        let command = request.curlCommand
        #expect(try words(of: command) == command.arguments)
    }

    @Test("a body of bytes comes out of printf as it went in")
    func bytes() throws {
        var request = try request()
        request.body = .data(Data((0...255).map { UInt8($0) }))
        let line = request.curlCommand.description
        let output = try Command.run(["sh", "-c", "curl() { od -An -v -tu1; }\n\(line)"])
        #expect(output.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0) } == (0...255).map { UInt8($0) })
    }

    /// What a shell hands to curl.
    private func words(of command: CurlCommand) throws -> [String] {
        let script = "curl() { for word in \"$@\"; do printf '%s\\0' \"$word\"; done; }\n\(command)"
        return try Command.run(["sh", "-c", script]).split(separator: "\0", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
    }
}
