import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

/// What strangers, browsers and broken clients send to the HTTP port.
@Suite(
    "The HTTP listener", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
    .timeLimit(.minutes(3)))
struct ListenerTests {
    /// A program that listens on this process's own loopback.
    private struct Listener {
        let run: ProgramRun
        let port: Int

        /// - Parameter wrapper: A program that executes it.
        init(limitedBy shell: String? = nil, by wrapper: [String] = []) async throws {
            let command = [Netwatch.path, "--json", "--no-probe", "--listen", "127.0.0.1:0"]
            let limited = shell.map { ["sh", "-c", "\($0) && exec \"$@\"", "sh"] } ?? []
            let run = try ProgramRun(wrapper + limited + command)
            let text = try await run.wait(for: "the address") {
                run.errorText.firstMatch(of: /listening on http:\S+:(\d+)\//).map { String($0.1) }
            }
            self.run = run
            port = try #require(Int(text))
            _ = try await run.line(0)
        }

        func connect() throws -> Connection {
            let descriptor = try SocketServer.connect(to: port)
            var limit = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            return Connection(descriptor: descriptor)
        }

        /// What is answered to a request, up to the end of the connection.
        func answer(_ request: String) throws -> String {
            let connection = try connect()
            connection.send(request)
            return connection.rest
        }

        /// The status line of an answer to a request with these header lines.
        func status(_ target: String, method: String = "GET", _ fields: String...) throws -> String {
            let lines = ["\(method) \(target) HTTP/1.1"] + fields + ["Connection: close", "", ""]
            return String(try answer(lines.joined(separator: "\r\n")).prefix { $0 != "\r\n" })
        }

        func dropped(_ reason: String) throws -> Int {
            try metric("netwatch_http_connections_dropped_total{reason=\"\(reason)\"}")
        }

        /// The value of a series; 0 where there is none.
        func metric(_ series: String) throws -> Int {
            let text = try answer("GET /metrics HTTP/1.0\r\n\r\n")
            let line = text.split(separator: "\n").first { $0.hasPrefix(series + " ") }
            return line.flatMap { Int($0.dropFirst(series.count + 1)) } ?? 0
        }

        var memory: Int {
            let status = (try? String(contentsOfFile: "/proc/\(run.processID)/status", encoding: .utf8)) ?? ""
            return status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) } ?? 0
        }
    }

    private final class Connection {
        let descriptor: CInt

        init(descriptor: CInt) {
            self.descriptor = descriptor
        }

        deinit {
            close(descriptor)
        }

        func send(_ text: String) {
            SocketServer.Connection(descriptor: descriptor).send(text)
        }

        /// As much as the server's side takes without reading.
        func flood(_ text: String, times: Int) {
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            for _ in 0..<times where Glibc.send(descriptor, text, text.utf8.count, CInt(MSG_NOSIGNAL)) < 0 { return }
        }

        /// Says that nothing more is asked.
        func finish() {
            shutdown(descriptor, CInt(SHUT_WR))
        }

        /// Says that no answer is read any more: what comes from now on is answered with a reset.
        func end() {
            shutdown(descriptor, CInt(SHUT_RDWR))
        }

        /// Everything until the end, or until nothing comes for twenty seconds.
        var rest: String {
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65536)
            while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private static let plain = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"

    @Test(
        "only a request for this host by its own name or address is answered: a page that rebinds its name reads nothing",
        arguments: [
            ("localhost", "200 OK"), ("LOCALHOST.:19115", "200 OK"), ("127.0.0.1", "200 OK"), ("[::1]:80", "200 OK"),
            ("192.0.2.77:8080", "200 OK"), ("rebound.example", "421 Misdirected Request"),
            ("localhost.example:19115", "421 Misdirected Request"), ("", "400 Bad Request"), ("a b", "400 Bad Request"),
            ("127.0.0.1:port", "400 Bad Request"), ("[::1", "400 Bad Request"), ("[fe80::x]", "400 Bad Request"),
        ])
    func hosts(host: String, status: String) async throws {
        let listener = try await Listener()
        #expect(try listener.status("/status", "Host: \(host)") == "HTTP/1.1 \(status)")
        let ownName = HostName.current
        #expect(try listener.status("/livez", "Host: \(ownName)") == "HTTP/1.1 200 OK")
    }

    @Test("a name that the host is given later is its own, too")
    func laterName() async throws {
        let listener = try await Listener(by: ["unshare", "--uts"])
        #expect(try listener.status("/livez", "Host: named.later") == "HTTP/1.1 421 Misdirected Request")
        try Command.run([
            "nsenter", "--uts=/proc/\(listener.run.processID)/ns/uts", "python3", "-c",
            "import socket; socket.sethostname('Named.later')",
        ])
        #expect(try listener.status("/livez", "Host: named.later") == "HTTP/1.1 200 OK")
        #expect(try listener.status("/livez", "Host: other.later") == "HTTP/1.1 421 Misdirected Request")
    }

    @Test("no Host, two, or a foreign one in the request's target are refused")
    func malformedHosts() async throws {
        let listener = try await Listener()
        #expect(try listener.status("/status") == "HTTP/1.1 400 Bad Request")
        #expect(try listener.status("/status", "Host: localhost", "Host: localhost") == "HTTP/1.1 400 Bad Request")
        #expect(
            try listener.status("http://rebound.example/status", "Host: localhost")
                == "HTTP/1.1 421 Misdirected Request")
        #expect(try listener.status("http://127.0.0.1/livez", "Host: localhost") == "HTTP/1.1 200 OK")
    }

    @Test(
        "the connection ends after the answer where that is asked for, however it is written",
        arguments: ["close", "Close", "TE, close", "close , te", "TE\r\nConnection: CLOSE"])
    func end(wish: String) async throws {
        let listener = try await Listener()
        let start = ContinuousClock.now
        let answer = try listener.answer("GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: \(wish)\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.contains("\r\nConnection: close\r\n"), "\(answer)")
        #expect(start.duration(to: .now) < .seconds(10))
    }

    @Test("other methods and other paths are told what there is, and too long ones that they are")
    func wrongRequests() async throws {
        let listener = try await Listener()
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
            let answer = try listener.answer(
                "\(method) /status HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"), "\(answer)")
            #expect(answer.contains("\r\nAllow: GET, HEAD\r\n"), "\(answer)")
            #expect(!answer.lowercased().contains("access-control"), "\(answer)")
        }
        let missing = try listener.answer("GET /metric HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(missing.hasPrefix("HTTP/1.1 404 Not Found\r\n"), "\(missing)")
        #expect(missing.contains("/metrics"), "\(missing)")
        let long = "/" + String(repeating: "a", count: 20_000)
        #expect(try listener.status(long, "Host: localhost") == "HTTP/1.1 414 URI Too Long")
        let longer = "/" + String(repeating: "a", count: 100_000)
        // However much of the request has come by the time of the answer.
        for _ in 0..<10 {
            #expect(try listener.status(longer, "Host: localhost") == "HTTP/1.1 414 URI Too Long")
        }
        let field = "X: " + String(repeating: "a", count: 20_000)
        #expect(
            try listener.status("/livez", "Host: localhost", field) == "HTTP/1.1 431 Request Header Fields Too Large")
        #expect(try listener.status("/livez", "Host: localhost", ":path: /x").hasPrefix("HTTP/1.1 400"))
        #expect(try listener.status("/livez", "Host: localhost") == "HTTP/1.1 200 OK")
    }

    @Test(
        "an answer to HEAD is the header of the answer to GET, and the next answer on the connection follows it at once"
    )
    func heads() async throws {
        let listener = try await Listener()
        let long = "/" + String(repeating: "a", count: 9000)
        let host = "Host: localhost"
        let questions = [
            ("/livez", host, "200 OK"), ("/nope", host, "404 Not Found"), ("/targets/nope", host, "404 Not Found"),
            ("/livez/nope", host, "404 Not Found"), ("/livez", "Host: foreign.example", "421 Misdirected Request"),
            ("/livez", "Host: a b", "400 Bad Request"), (long, host, "414 URI Too Long"),
            ("/history?target=x", host, "404 Not Found"), ("/metrics", host, "200 OK"), ("/status", host, "200 OK"),
            ("/livez", "X: \(String(repeating: "a", count: 20_000))\r\n\(host)", "431 Request Header Fields Too Large"),
        ]
        func lengths(_ text: String) -> [String] {
            text.split(separator: "\r\n").filter { $0.hasPrefix("Content-Length: ") }.map(String.init)
        }
        for (target, fields, status) in questions {
            let last = "GET /nothing HTTP/1.1\r\n\(host)\r\nConnection: close\r\n\r\n"
            let answer = try listener.answer("HEAD \(target) HTTP/1.1\r\n\(fields)\r\n\r\n" + last)
            let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
            #expect(parts.count == 2 && parts[0].hasPrefix("HTTP/1.1 \(status)\r\n"), "\(answer)")
            #expect(parts.last?.hasPrefix("HTTP/1.1 404 Not Found\r\n") == true, "\(answer)")
            guard target != "/metrics", target != "/status" else { continue }
            let get = try listener.answer("GET \(target) HTTP/1.1\r\n\(fields)\r\nConnection: close\r\n\r\n")
            #expect(lengths(parts[0]).count == 1 && lengths(parts[0]) == lengths(get), "\(answer)")
        }
        let stream = try listener.answer(
            "HEAD /events HTTP/1.1\r\n\(host)\r\n\r\nGET /livez HTTP/1.1\r\n\(host)\r\nConnection: close\r\n\r\n")
        #expect(stream.lowercased().contains("transfer-encoding: chunked\r\n"), "\(stream)")
        #expect(stream.contains("\r\n\r\nHTTP/1.1 200 OK\r\n"), "\(stream)")
    }

    @Test("what cannot be read is told so in a sentence")
    func unreadable() async throws {
        let listener = try await Listener()
        let fields = (0...100).map { "X-\($0): y\r\n" }.joined()
        let many = try listener.answer("GET /livez HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
        #expect(many.hasPrefix("HTTP/1.1 431 "), "\(many)")
        #expect(many.hasSuffix("\r\n\r\nthe header is too long, or has more than 100 fields\n"), "\(many)")
        let nonsense = try listener.answer("\u{1}nonsense\r\n\r\n")
        #expect(nonsense.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(nonsense)")
        #expect(nonsense.contains("\r\n\r\nthis is no request of HTTP/1.1: "), "\(nonsense)")
    }

    @Test("every answer tells a browser to do nothing with it but show it, and HTTP/1.0 ends with its answer")
    func fields() async throws {
        let listener = try await Listener()
        let answer = try listener.answer("GET /status HTTP/1.0\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(answer)")
        #expect(answer.contains("\r\nX-Content-Type-Options: nosniff\r\n"), "\(answer)")
        #expect(answer.contains("\r\nContent-Security-Policy: default-src 'none'"), "\(answer)")
        #expect(answer.contains("\r\nConnection: close\r\n"), "\(answer)")
    }

    @Test(
        "what is long is compressed for those who want it so",
        arguments: [
            ("gzip", true), ("gzip;q=0.5, identity;q=0.1", true), ("br, *", true), ("gzip;q=0", false),
            ("identity, gzip;q=0.5", false), ("br", false), ("", false),
        ])
    func compression(accepted: String, isCompressed: Bool) async throws {
        let listener = try await Listener()
        let base = ["curl", "-s", "-m", "20", "-D", "-", "http://127.0.0.1:\(listener.port)/metrics"]
        let options = ["-H", "Accept-Encoding: \(accepted)", "-o", "/dev/null"]
        let fields = try Command.run(base + options)
        #expect(fields.contains("Content-Encoding: gzip\r\n") == isCompressed, "\(fields)")
        #expect(fields.contains("Vary: Accept, Accept-Encoding\r\n"), "\(fields)")
        let page = try Command.run([
            "curl", "-s", "-m", "20", "--compressed", "http://127.0.0.1:\(listener.port)/metrics",
        ])
        #expect(try Command.run(["promtool", "check", "metrics"], input: page) == "")
    }

    @Test(
        "more connections than descriptors: the longest idle ones go, and the program goes on as if they were not there"
    )
    func manyConnections() async throws {
        let listener = try await Listener(limitedBy: "ulimit -n 128")
        var connections: [Connection] = []
        for _ in 0..<400 {
            connections.append(try listener.connect())
            if connections.count.isMultiple(of: 100) {
                #expect(try listener.status("/livez", "Host: localhost") == "HTTP/1.1 200 OK")
            }
        }
        #expect(try listener.dropped("limit") > 300)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(listener.run.processID)/fd")
            .count
        #expect(descriptors < 128 - 60, "\(descriptors) descriptors are open")
        #expect(listener.run.lines.count == 1, "\(listener.run.lines)")
        #expect(try listener.status("/readyz", "Host: localhost") == "HTTP/1.1 200 OK")
        listener.run.send(SIGTERM)
        #expect(try await listener.run.end() == 0)
        withExtendedLifetime(connections) {}
    }

    @Test("peers that ask a thousand times and read nothing cost little, and are dropped")
    func stalledReaders() async throws {
        let listener = try await Listener()
        _ = try listener.status("/metrics", "Host: localhost")
        let before = listener.memory
        let question = String(repeating: "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 50)
        let connections = try (0..<100).map { _ in
            let connection = try listener.connect()
            connection.flood(question, times: 40)
            return connection
        }
        #expect(try listener.status("/livez", "Host: localhost") == "HTTP/1.1 200 OK")
        #expect(listener.memory - before < 60_000, "\(listener.memory - before) kB more")
        _ = try await listener.run.wait(for: "the end of the stalled", within: .seconds(60)) {
            try listener.dropped("stalled") >= 100 ? true : nil
        }
        withExtendedLifetime(connections) {}
    }

    @Test("a peer that does not read is not let alone for asking for events that it is refused")
    func refusedStreams() async throws {
        let listener = try await Listener(limitedBy: "ulimit -n 128")
        let refused = "GET /events?kind=x HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let question = String(repeating: refused, count: 1000)
        let stalled = try (0..<60).map { _ in
            let connection = try listener.connect()
            connection.flood(question, times: 4)
            return connection
        }
        // 28 connections may be open, of which the readers of events are none.
        _ = try await listener.run.wait(for: "the end of those that are too many", within: .seconds(20)) {
            try listener.dropped("limit") >= 30 ? true : nil
        }
        withExtendedLifetime(stalled) {}
    }

    @Test(
        "a reader of the events that closes its end is gone at once, also one that asks for more",
        arguments: ["", plain])
    func leavingReader(more: String) async throws {
        let listener = try await Listener()
        let reader = try listener.connect()
        reader.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n" + more)
        _ = try await listener.run.wait(for: "the reader") {
            try listener.metric("netwatch_event_readers") == 1 ? true : nil
        }
        reader.finish()
        // With the sign of life that comes every 15 seconds it would be noticed later, or never.
        _ = try await listener.run.wait(for: "its end", within: .seconds(10)) {
            try listener.metric("netwatch_event_readers") == 0 ? true : nil
        }
        withExtendedLifetime(reader) {}
    }

    @Test("what was asked over connections that are closed is not answered to nobody")
    func closedBeforeTheAnswer() async throws {
        let listener = try await Listener()
        let question = String(repeating: Self.plain, count: 1000)
        let connections = try (0..<150).map { _ in
            let connection = try listener.connect()
            connection.flood(question, times: 2)
            return connection
        }
        try await Task.sleep(for: .milliseconds(200))
        for connection in connections { connection.end() }
        let start = ContinuousClock.now
        #expect(try listener.status("/livez", "Host: localhost") == "HTTP/1.1 200 OK")
        let time = ContinuousClock.now - start
        // It took 20 s while they were answered; beside compilers it takes 3.
        #expect(time < .seconds(8))
    }

    @Test("one that has just come is answered, however many come besides while others do not read")
    func newcomer() async throws {
        let listener = try await Listener(limitedBy: "ulimit -n 128")
        let question = String(repeating: "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 50)
        let stalled = try (0..<60).map { _ in
            let connection = try listener.connect()
            connection.flood(question, times: 40)
            return connection
        }
        try await Task.sleep(for: .seconds(2))
        // Where the machine is so busy that one has said nothing for a second, it is no newcomer any more.
        var answers: [String] = []
        while answers.count < 3, answers.last?.hasPrefix("HTTP/1.1 200 OK") != true {
            let newcomer = try listener.connect()
            let others = try (0..<5).map { _ in try listener.connect() }
            try await Task.sleep(for: .milliseconds(200))
            newcomer.send("GET /livez HTTP/1.0\r\n\r\n")
            answers.append(newcomer.rest)
            withExtendedLifetime(others) {}
        }
        #expect(answers.last?.hasPrefix("HTTP/1.1 200 OK") == true, "\(answers)")
        withExtendedLifetime(stalled) {}
    }

    @Test(
        "a request that does not come to its end within ten seconds is not waited for",
        arguments: [0, 1, 20])
    func slowRequest(after others: Int) async throws {
        let listener = try await Listener()
        let connection = try listener.connect()
        connection.send(String(repeating: Self.plain, count: others) + "GET /livez HTTP/1.1\r\n")
        let start = ContinuousClock.now
        #expect(connection.rest.ranges(of: "HTTP/1.1 200 OK").count == others)
        let waited = ContinuousClock.now - start
        #expect(waited > .seconds(8) && waited < .seconds(16), "\(waited)")
        #expect(try listener.dropped("slow") == 1)
    }

    @Test(
        "a wish for another protocol is passed over, the connection ends with the answer, and what follows costs nothing",
        arguments: ["GET /livez HTTP/1.1", "CONNECT localhost:80 HTTP/1.1"])
    func upgrade(line: String) async throws {
        let listener = try await Listener()
        let upgrade = "\(line)\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n"
        let answer = try listener.answer(upgrade + Self.plain)
        #expect(answer.hasPrefix("HTTP/1.1 \(line.hasPrefix("GET") ? 200 : 404)"), "\(answer)")
        #expect(answer.ranges(of: "HTTP/1.1 ").count == 1 && answer.lowercased().contains("connection: close"))
        let reader = try listener.connect()
        reader.send("GET /events HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
        let before = listener.memory
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(reader.descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let block = String(repeating: "x", count: 1 << 20)
        for _ in 0..<48 { reader.send(block) }
        #expect(listener.memory < before + 24_000, "\(before) to \(listener.memory) kB")
    }

    @Test(
        "what follows a request whose answer ends the connection is thrown away, and keeps no stop waiting",
        arguments: ["HTTP/1.0\r\nConnection: keep-alive", "HTTP/1.1\r\nHost: localhost\r\nConnection: close"])
    func afterTheLast(form: String) async throws {
        let listener = try await Listener()
        let connection = try listener.connect()
        connection.send(String(repeating: "GET /livez \(form)\r\n\r\n", count: 2))
        #expect(connection.rest.ranges(of: " 200 OK\r\n").count == 1)
        listener.run.send(SIGTERM)
        // What does not come to its end is given up after twenty.
        #expect(try await listener.run.end(within: .seconds(15)) == 0)
        withExtendedLifetime(connection) {}
    }

    @Test("requests one behind the other on a connection are all answered, in their order")
    func pipelining() async throws {
        let listener = try await Listener()
        let connection = try listener.connect()
        let last = "GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        connection.send(String(repeating: Self.plain, count: 300) + last)
        let answers = connection.rest
        #expect(answers.ranges(of: "HTTP/1.1 200 OK").count == 300)
        #expect(answers.ranges(of: "HTTP/1.1 404 Not Found").count == 1)
    }

    @Test("all that a peer has asked is answered, though it has closed its end by then")
    func pipeliningThenEnd() async throws {
        let listener = try await Listener()
        let connection = try listener.connect()
        connection.send(String(repeating: Self.plain, count: 1000))
        connection.finish()
        #expect(connection.rest.ranges(of: "HTTP/1.1 200 OK").count == 1000)
    }
}

/// What this host is called.
private enum HostName {
    static var current: String { (try? Command.run(["uname", "-n"]))?.trimmingCharacters(in: .newlines) ?? "" }
}
