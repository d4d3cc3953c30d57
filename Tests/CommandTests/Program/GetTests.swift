import Foundation
import Glibc
import NetwatchService
import RequestEngine
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite(
    "netwatch get", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
    .timeLimit(.minutes(2)))
struct GetTests {
    @Test("get writes a body to standard output or a file, and its phases where they are asked for")
    func get() async throws {
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        let server = try NginxServer(documents: ["file": content])
        let url = "http://127.0.0.1:\(server.port)/file"
        let folder = try TemporaryFolder()
        let path = folder.path.appending("file").string
        let outcome = try await Netwatch.run(["get", "--verbose", "--output", path, url])
        #expect(outcome.status == 0)
        #expect(try Data(contentsOf: URL(filePath: path)) == content)
        for phase in ["connect", "processing", "transfer"] { #expect(outcome.errorText.contains("\n\(phase) ")) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.string) == ["file"])
        let copy = folder.path.appending("copy").string
        let shell = try await Netwatch.run(command: [
            "sh", "-c", "\"$0\" get \"$1\" > \"$2\"", Netwatch.path, url, copy,
        ])
        #expect(shell.status == 0)
        #expect(try Data(contentsOf: URL(filePath: copy)) == content)
    }

    @Test("get writes to a stream of its own that a path leads to, and puts no file in the place of that name")
    func ownStream() async throws {
        let server = try NginxServer(documents: ["file": Data("text\n".utf8)])
        let folder = try TemporaryFolder()
        let path = folder.path.appending("out")
        let script = "echo first > \"$2\"; \"$0\" get -o /dev/stdout \"$1\" >> \"$2\""
        let outcome = try await Netwatch.run(command: [
            "sh", "-c", script, Netwatch.path, "http://127.0.0.1:\(server.port)/file", path.string,
        ])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try String(contentsOfFile: path.string, encoding: .utf8) == "first\ntext\n")
        #expect(try FilePath("/dev/stdout").stat(followTargetSymlink: false).type == .symbolicLink)
    }

    @Test("get keeps what an earlier try has left until it has something of its own, and then leaves one part at most")
    func earlierPart() async throws {
        let isWhole = Mutex(false)
        let server = try SocketServer { connection in
            guard connection.readRequest().hasSuffix("\r\n\r\n") else { return }
            let head = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nAccept-Ranges: bytes\r\nContent-Length: 10\r\n\r\n"
            connection.send(head + (isWhole.withLock { $0 } ? "0123456789" : "01234"))
        }
        let folder = try TemporaryFolder()
        let path = folder.path.appending("file").string
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path.string).sorted()
        }
        let url = "http://127.0.0.1:\(server.port)/file"
        #expect(try await Netwatch.run(["get", "-o", path, url]).status == 7)
        let first = try names()
        #expect(first.count == 2, "\(first)")
        // Nothing answers: what is there stays as it is.
        #expect(
            try await Netwatch.run(["get", "-o", path, "http://127.0.0.1:\(try FreePort.next())/file"]).status == 7)
        #expect(try names() == first)
        #expect(try await Netwatch.run(["get", "-o", path, url]).status == 7)
        let second = try names()
        #expect(second.count == 2 && second != first, "\(second)")
        isWhole.withLock { $0 = true }
        #expect(try await Netwatch.run(["get", "-o", path, url]).status == 0)
        #expect(try names() == ["file"])
    }

    @Test("get tells what came instead of what was asked for")
    func getFailures() async throws {
        let server = try NginxServer()
        let missing = try await Netwatch.run(["get", "http://127.0.0.1:\(server.port)/missing"])
        #expect(missing.status == 7)
        #expect(missing.errorText.hasSuffix("the server answered 404\n"))
        let refused = try await Netwatch.run(["get", "http://127.0.0.1:\(try FreePort.next())/"])
        #expect(refused.status == 7)
        #expect(refused.errorText.contains("Connection refused"))
        let unbound = try await Netwatch.run(["get", "--interface", "nope0", "http://127.0.0.1:\(server.port)/"])
        #expect(unbound.status == 7)
        #expect(unbound.errorText.contains("nope0"))
    }

    @Test("get shows nothing of a server's certificate that would command the terminal")
    func commandingCertificate() async throws {
        let authority = try CertificateAuthority()
        // The first character begins a control sequence, as ESC [ does.
        let certificate = try authority.issue("evil\u{9B}31mred", CertificateRequest { $0.issuer = .itself })
        let port = try FreePort.next()
        let server = try NginxServer(
            servers: """
                server {
                    listen 127.0.0.1:\(port) ssl;
                    ssl_certificate \(certificate.chainFile);
                    ssl_certificate_key \(certificate.keyFile);
                    location / { return 204; }
                }
                """)
        let outcome = try await Netwatch.run(["get", "https://127.0.0.1:\(port)/"])
        #expect(outcome.status == 7)
        #expect(outcome.errorText.contains("the certificate of CN=evil\u{FFFD}31mred is"), "\(outcome.errorText)")
        withExtendedLifetime((authority, server)) {}
    }

    @Test("get writes into a device as it is, and tells no password of the address")
    func device() async throws {
        let server = try NginxServer(documents: ["file": Data("text".utf8)])
        let url = "http://user:secret@127.0.0.1:\(server.port)/file"
        let outcome = try await Netwatch.run(["get", "--verbose", "--output", "/dev/null", url])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.errorText.contains("<redacted>@127.0.0.1") && !outcome.errorText.contains("secret"))
        #expect(try FilePath("/dev/null").stat().type == .characterSpecial)
        let refused = try await Netwatch.run(["get", "http://user:secret@127.0.0.1:\(try FreePort.next())/"])
        #expect(refused.status == 7 && !refused.errorText.contains("secret"), "\(refused.errorText)")
        let full = try await Netwatch.run(["get", "--output", "/dev/full", url])
        #expect(full.status == 74 && full.errorText.contains("/dev/full"), "\(full)")
        for output in ["", "/tmp"] {
            let refused = try await Netwatch.run(["get", "--output", output, url])
            #expect(refused.status == 64 && refused.errorText.contains("--output"), "\(refused)")
        }
    }

    @Test("get goes on with a download that broke off, and leaves no password behind meanwhile")
    func continued() async throws {
        let body = String(repeating: "0123456789", count: 10_000)
        let server = try SocketServer { connection in
            let request = connection.readRequest()
            let isRest = request.contains("Range: bytes=50000-\r\n") && request.contains("If-Range: \"v1\"\r\n")
            let rest = isRest ? body.dropFirst(50_000) : body[...]
            let status = isRest ? "206 Partial Content\r\nContent-Range: bytes 50000-99999/100000" : "200 OK"
            let head =
                "HTTP/1.1 \(status)\r\nETag: \"v1\"\r\nContent-Length: \(rest.utf8.count)\r\nConnection: close\r\n\r\n"
            connection.send(head)
            // The first try ends in the middle.
            connection.send(isRest ? String(rest) : String(rest.prefix(50_000)))
        }
        let folder = try TemporaryFolder()
        let path = folder.path.appending("file").string
        let arguments = ["get", "--continue", "--output", path, "http://me:topsecret@127.0.0.1:\(server.port)/"]
        let first = try await Netwatch.run(arguments)
        #expect(first.status == 7)
        #expect(!FileManager.default.fileExists(atPath: path))
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path.string)
        #expect(left.count == 2, "\(left)")
        for file in left {
            let text = try String(contentsOfFile: folder.path.appending(file).string, encoding: .utf8)
            #expect(!text.contains("topsecret"), "\(file)")
        }
        let second = try await Netwatch.run(arguments)
        #expect(second.status == 0, "\(second.errorText)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == body)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.string) == ["file"])
    }

    @Test("get follows redirects, and tells every hop with its phases")
    func redirects() async throws {
        let server = try NginxServer(
            locations: "location /from { return 302 /to; } location /to { return 200 here; }")
        let outcome = try await Netwatch.run(["get", "--verbose", "http://127.0.0.1:\(server.port)/from"])
        #expect(outcome.status == 0)
        let hops = outcome.errorText.split(separator: "\n").filter { $0.hasPrefix("GET ") }
        #expect(hops.count == 2)
        #expect(hops[0].contains("/from") && hops[0].hasSuffix("302"))
        #expect(hops[1].contains("/to") && hops[1].hasSuffix("200"))
        let loop = try NginxServer(locations: "location / { return 302 /; }")
        let endless = try await Netwatch.run(["get", "http://127.0.0.1:\(loop.port)/"])
        #expect(endless.status == 7)
        #expect(endless.errorText.contains("redirected more than"))
    }

    @Test("on a terminal a bar tells how far it has come; interrupted, it can be continued from there")
    func interrupted() async throws {
        let body = String(repeating: "0123456789", count: 10_000)
        let server = try SocketServer { connection in
            let isRest = connection.readRequest().contains("Range: bytes=40000-\r\n")
            let rest = isRest ? body.dropFirst(40_000) : body[...]
            let status = isRest ? "206 Partial Content\r\nContent-Range: bytes 40000-99999/100000" : "200 OK"
            connection.send("HTTP/1.1 \(status)\r\nETag: \"v1\"\r\nContent-Length: \(rest.utf8.count)\r\n\r\n")
            connection.send(isRest ? String(rest) : String(rest.prefix(40_000)))
            connection.waitForEnd()
        }
        let folder = try TemporaryFolder()
        let path = folder.path.appending("file").string
        let get = "\(Netwatch.path) get --continue --output \(path) http://127.0.0.1:\(server.port)/"
        let window = try Window(
            "sh -c 'trap : INT; env LC_ALL=C.UTF-8 \(get); echo status $?; \(get); echo then $?; exec sleep 1000'")
        let shown = try await window.wait(for: " 40 %")
        #expect(shown.contains("██") && shown.contains("░░") && shown.contains("40.0 kB of 100.0 kB"))
        _ = try window.tmux("send-keys", "C-c")
        let after = try await window.wait(for: "then 0")
        #expect(after.contains("interrupted: --continue"))
        #expect(after.contains("status 7"))
        #expect(!after.contains(" 40 %"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == body)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.string) == ["file"])
    }

    @Test("a server that takes its time has a spinner turn, and leaves no trace of it")
    func spinner() async throws {
        let mayAnswer = Mutex(false)
        let server = try SocketServer { connection in
            connection.readRequest()
            while !mayAnswer.withLock({ $0 }) { usleep(2000) }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhere")
        }
        let folder = try TemporaryFolder()
        let path = folder.path.appending("file").string
        let get = "\(Netwatch.path) get --output \(path) http://127.0.0.1:\(server.port)/"
        let window = try Window("sh -c 'env LC_ALL=C.UTF-8 \(get); echo status $?; exec sleep 1000'")
        let first = try await window.wait(for: " waiting for 127.0.0.1").prefix(1)
        var shown = first
        while shown == first { shown = try await window.wait(for: " waiting for 127.0.0.1").prefix(1) }
        mayAnswer.withLock { $0 = true }
        #expect(!(try await window.wait(for: "status 0").contains("waiting")))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "here")
    }

    @Test("the phases stand under each other, each beginning where the one before has ended")
    func waterfall() {
        var metrics = RequestMetrics()
        metrics.phases = [.connect: .milliseconds(10), .processing: .milliseconds(20), .transfer: .milliseconds(10)]
        let lines = Waterfall.lines(metrics, width: 64, style: Style(usesColor: false, usesUnicode: false))
        #expect(
            lines
                == [
                    "connect    ##########                                10 ms",
                    "processing           ####################            20 ms",
                    "transfer                                 ##########  10 ms",
                ])
    }
}
