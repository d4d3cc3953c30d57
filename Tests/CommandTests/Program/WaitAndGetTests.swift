#if Service
import Foundation
import RequestCore
import NetwatchService
import SystemPackage
import TestSupport
import Testing

@Suite(
    "netwatch wait and netwatch get", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
    .timeLimit(.minutes(2)))
struct WaitAndGetTests {
    @Test("wait ends as soon as there is a path")
    func reached() async throws {
        let uplink = try Uplink()
        let run = try Netwatch.start("wait", "--for", "path", "--no-probe", "--limit", "60s", in: uplink.namespace)
        try uplink.connect()
        #expect(try await run.end() == 0)
        #expect(run.errorText == "")
    }

    @Test("wait says what is missing when the time is over", arguments: [("path", Int32(4)), ("wifi", 4)])
    func missed(goal: String, status: Int32) async throws {
        let namespace = try TestNamespace()
        let outcome = try await Netwatch.run(["wait", "--for", goal, "--no-probe", "--limit", "50ms"], in: namespace)
        #expect(outcome.status == status)
        #expect(outcome.errorText.contains("no route leads out"))
    }

    @Test("wait for Wi-Fi is not satisfied by a cable, and says by what traffic leaves")
    func otherMedium() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let arguments = ["wait", "--for", "wifi", "--no-probe", "--limit", "50ms"]
        let outcome = try await Netwatch.run(arguments, in: uplink.namespace)
        #expect(outcome.status == 3)
        #expect(outcome.errorText.contains("ethernet via up0"))
    }

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

    @Test("get goes on with a download that broke off")
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
        let arguments = ["get", "--continue", "--output", path, "http://127.0.0.1:\(server.port)/"]
        let first = try await Netwatch.run(arguments)
        #expect(first.status == 7)
        #expect(!FileManager.default.fileExists(atPath: path))
        let second = try await Netwatch.run(arguments)
        #expect(second.status == 0, "\(second.errorText)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == body)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.string) == ["file"])
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
#endif
