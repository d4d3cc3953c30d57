import Foundation
import Glibc
import NetwatchService
import SystemPackage
import TestSupport
import Testing

@Suite(
    "The events of a service", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
    .timeLimit(.minutes(3)))
struct EventsTests {
    /// A service in a namespace of its own.
    private struct Service {
        let uplink: Uplink
        let folder: TemporaryFolder
        let run: ProgramRun

        var socket: String { folder.path.appending("s.sock").string }

        init(readers: Int = 8, listen: String = "") async throws {
            uplink = try Uplink()
            folder = try TemporaryFolder()
            let yaml = """
                probes: false
                service:
                  listen: [\(listen)]
                  socket: \(folder.path.appending("s.sock"))
                  maximumReaders: \(readers)
                """
            let file = try folder.write(yaml.utf8, to: "netwatch.yaml").string
            run = try ProgramRun([Netwatch.path, "serve", "--config", file, "--json"], in: uplink.namespace)
            let run = run
            _ = try await run.wait(for: "the socket") { run.errorText.contains("listening on unix:") ? true : nil }
            _ = try await run.line(0)
        }

        /// Follows the events by curl.
        func follow(_ path: String = "events", _ options: String...) throws -> ProgramRun {
            try ProgramRun(
                ["curl", "-sN", "-m", "60", "--unix-socket", socket] + options + ["http://localhost/\(path)"])
        }

        func get(_ path: String) throws -> String {
            try Command.run(["curl", "-s", "-m", "20", "--unix-socket", socket, "http://localhost/\(path)"])
        }

        /// The path's interface comes up.
        func connect() throws { try uplink.connect() }
    }

    private func wait(_ run: ProgramRun, for words: String) async throws {
        _ = try await run.wait(for: words) { run.lines.contains { $0.contains(words) } ? true : nil }
    }

    @Test("are the lines of netwatch --json, after the state as it is, each with its id")
    func serverSent() async throws {
        let service = try await Service()
        let reader = try service.follow()
        try await wait(reader, for: #""kind":"snapshot""#)
        try service.connect()
        try await wait(reader, for: #""reachability":"ethernet""#)
        // More may come at any time: only what ended before now is looked at.
        let lines = reader.lines
        let whole = lines[..<(lines.lastIndex(of: "") ?? lines.endIndex)]
        #expect(whole.first == "retry: 2000")
        let places = whole.indices.filter { whole[$0].hasPrefix("data: ") }
        let data = places.map { String(whole[$0].dropFirst(6)) }
        #expect(try Netwatch.validate(data))
        // A sign of life has an id, too.
        let ids = places.compactMap { UInt64(whole[$0 - 1].split(separator: "-").last ?? "") }
        #expect(try ids == data.map { try JSONLine($0).seq })
        // All but the first line, which is the state as it was when the reader came, are those of the log.
        #expect(Set(data.dropFirst()).isSubset(of: Set(service.run.lines)))
    }

    @Test("a reader that goes makes room for the next at once, though nothing happens meanwhile")
    func leaving() async throws {
        let service = try await Service(readers: 1)
        let start = ContinuousClock.now
        for _ in 0..<8 {
            _ = try await service.run.wait(for: "room", within: .seconds(60)) {
                // One that is refused ends at once; one that is let in goes after a second.
                let seen = try Command.capture([
                    "curl", "-sN", "-m", "1", "--unix-socket", service.socket, "http://localhost/events",
                ])
                return seen.output.contains(#""kind":"snapshot""#) ? true : nil
            }
        }
        // With the sign of life that comes every 15 seconds it would be two minutes.
        #expect(ContinuousClock.now - start < .seconds(90))
    }

    @Test("a reader that goes by TCP makes room at once, too")
    func leavingByTCP() async throws {
        let service = try await Service(readers: 1, listen: "127.0.0.1:19115")
        try service.uplink.namespace.ip("link set lo up")
        let start = ContinuousClock.now
        var served = 0
        while served < 5, ContinuousClock.now - start < .seconds(90) {
            let reader = try ProgramRun(
                ["curl", "-sN", "-m", "1", "http://127.0.0.1:19115/events"], in: service.uplink.namespace)
            _ = try await reader.end()
            if reader.lines.contains(where: { $0.contains(#""kind":"snapshot""#) }) { served += 1 }
        }
        // With the sign of life that comes every 15 seconds it would be a minute.
        #expect(ContinuousClock.now - start < .seconds(45))
    }

    @Test("go on after the last id that a reader knows, without a gap, or begin anew with one that is told")
    func resuming() async throws {
        let service = try await Service()
        let first = try service.follow()
        try await wait(first, for: "id: ")
        let id = try #require(first.lines.first { $0.hasPrefix("id: ") }?.dropFirst(4))
        first.send(SIGTERM)
        _ = try await first.end()
        try service.connect()
        try await wait(service.run, for: #""reachability":"ethernet""#)
        let second = try service.follow("events", "-H", "Last-Event-ID: \(id)")
        try await wait(second, for: #""reachability":"ethernet""#)
        let lines = second.lines.filter { $0.hasPrefix("data: ") }.map { String($0.dropFirst(6)) }
        let seen = try lines.map { try JSONLine($0).seq }
        let known = try #require(UInt64(id.split(separator: "-")[1]))
        #expect(seen.first == known + 1 && seen == Array(seen[0]...(seen.last ?? 0)))
        #expect(Set(lines).isSubset(of: Set(service.run.lines)))
        for unknown in ["1-1", "nonsense", "\(id)9999"] {
            let stranger = try service.follow("events", "-H", "Last-Event-ID: \(unknown)")
            try await wait(stranger, for: #""kind":"snapshot""#)
            #expect(stranger.lines.contains("event: gap"), "\(stranger.lines)")
        }
    }

    @Test("come as lines of JSON to those who accept them, and to netwatch events; what is asked for is chosen")
    func lines() async throws {
        let service = try await Service()
        let curl = try service.follow("events", "-H", "Accept: application/x-ndjson")
        let own = try ProgramRun([Netwatch.path, "events", "--socket", service.socket, "--kind", "transition"])
        let other = try ProgramRun([Netwatch.path, "events", "--socket", service.socket, "--about", "other0"])
        for reader in [curl, own, other] { try await wait(reader, for: #""kind":"snapshot""#) }
        try service.connect()
        try await wait(curl, for: #""reachability":"ethernet""#)
        try await wait(own, for: #""reachability":"ethernet""#)
        #expect(try Netwatch.validate(curl.lines))
        #expect(try Set(own.lines.dropFirst().map { try JSONLine($0).kind }) == ["transition"])
        #expect(other.lines.count == 1)
        let refused = try service.follow("events?kind=everything")
        _ = try await refused.end()
        #expect(refused.lines.first?.hasPrefix("there is no such kind of event; there are: snapshot") == true)
        service.run.send(SIGTERM)
        #expect(try await service.run.end() == 0)
        #expect(try await own.end() == 69)
    }

    /// A service that answers as it is told to, and its socket.
    private static func service(
        _ folder: TemporaryFolder, _ answer: @escaping @Sendable (SocketServer.Connection) -> Void
    ) throws -> (server: SocketServer, socket: String) {
        let socket = folder.path.appending("fake.sock").string
        let server = try SocketServer(unixSocket: socket) { connection in
            connection.readRequest()
            answer(connection)
        }
        return (server, socket)
    }

    @Test("end with a word where standard output takes none of them, and where the service ends")
    func ends() async throws {
        let folder = try TemporaryFolder()
        let (server, socket) = try Self.service(folder) { connection in
            connection.send("HTTP/1.0 200 OK\r\n\r\n{}\n")
        }
        defer { withExtendedLifetime(server) {} }
        let full = try await Netwatch.run(
            command: ["sh", "-c", "exec \"$0\" events --socket \"$1\" >/dev/full", Netwatch.path, socket])
        #expect(full.status == 74 && full.errorText.contains("No space left on device"), "\(full)")
        let left = try await Netwatch.run(command: [
            "sh", "-c",
            // The loop ends with the reader of the pipe.
            "{ (while echo; do sleep 0.05; done) 2>/dev/null; \"$0\" events --socket \"$1\"; echo $? >&2; } | true",
            Netwatch.path, socket,
        ])
        #expect(left.errorText == "0\n", "\(left)")
        let whole = try await Netwatch.run(["events", "--socket", socket])
        #expect(whole.status == 69 && whole.lines == ["{}"])
        #expect(whole.errorText == "netwatch: the service has ended\n")
    }

    @Test("wait for a reader whose pipe does not block")
    func withoutBlocking() async throws {
        let folder = try TemporaryFolder()
        let (server, socket) = try Self.service(folder) { connection in
            connection.send("HTTP/1.0 200 OK\r\n\r\n{}\n")
        }
        defer { withExtendedLifetime(server) {} }
        let script = """
            import os, subprocess, sys, time
            reader, writer = os.pipe(); os.set_blocking(writer, False); size = 0
            try:
                while True: size += os.write(writer, bytes(65536))
            except BlockingIOError: pass
            run = subprocess.Popen(sys.argv[1:], stdout=writer); os.close(writer); time.sleep(0.3)
            text = b""
            while part := os.read(reader, 65536): text += part
            print(text[size:].decode(), end="", flush=True)
            sys.exit(run.wait())
            """
        let outcome = try await Netwatch.run(
            command: ["/usr/bin/python3", "-c", script, Netwatch.path, "events", "--socket", socket])
        #expect(outcome.lines == ["{}"] && outcome.status == 69, "\(outcome)")
    }

    @Test(
        "are refused in one line, with a status that says whether to ask again",
        arguments: [(400, 64), (429, 69), (503, 69)] as [(Int, Int32)])
    func refusals(code: Int, status: Int32) async throws {
        let folder = try TemporaryFolder()
        let (server, socket) = try Self.service(folder) { connection in
            connection.send("HTTP/1.0 \(code) No\r\n\r\n")
            usleep(50_000)
            connection.send("not now;\n")
            usleep(50_000)
            connection.send("come again\n")
        }
        defer { withExtendedLifetime(server) {} }
        let outcome = try await Netwatch.run(["events", "--socket", socket])
        #expect(outcome.status == status)
        #expect(outcome.errorText == "netwatch: not now; come again\n")
    }

    @Test(
        "are not needed for the state as it is, which netwatch status asks the service for", arguments: [false, true])
    func status(isJSON: Bool) async throws {
        let service = try await Service()
        let options = ["status", "--socket", service.socket] + (isJSON ? ["--json"] : [])
        let cut = try await Netwatch.run(options)
        #expect(cut.status == 4)
        try service.connect()
        try await wait(service.run, for: #""reachability":"ethernet""#)
        let well = try await Netwatch.run(options)
        #expect(well.status == 0)
        #expect(well.lines.count == 1)
        if isJSON {
            #expect(try Netwatch.validate(well.lines))
        } else {
            #expect(well.lines.first?.contains("ethernet via up0, not probed") == true, "\(well.lines)")
        }
        service.run.send(SIGTERM)
        _ = try await service.run.end()
        #expect(try await Netwatch.run(options).status == 69)
    }

    @Test("are for so many readers only, and a reader that has gone makes room")
    func readers() async throws {
        let service = try await Service(readers: 2)
        let readers = try (0..<2).map { _ in try service.follow() }
        for reader in readers { try await wait(reader, for: #""kind":"snapshot""#) }
        let third = try service.follow("events", "-D", "-")
        _ = try await third.end()
        #expect(third.lines.first?.hasPrefix("HTTP/1.1 429") == true, "\(third.lines)")
        readers[0].send(SIGKILL)
        _ = try await readers[0].end()
        _ = try await service.run.wait(for: "room") {
            // An event shows that the reader has gone.
            try service.uplink.namespace.ip("link set lo mtu \(Int.random(in: 10_000...60_000))")
            return try service.get("metrics").contains("netwatch_event_readers 1\n") ? true : nil
        }
    }

    @Test("keep no place for those that ask and are gone before the answer begins")
    func goneAtOnce() async throws {
        let service = try await Service(readers: 1)
        try Command.run([
            "/usr/bin/python3", "-c",
            """
            import socket, sys
            kept = []
            for number in range(60):
                s = socket.socket(socket.AF_UNIX); s.settimeout(20); s.connect(sys.argv[1])
                s.sendall(b"GET /events HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
                if number % 3: s.close()
                else: s.shutdown(socket.SHUT_WR); kept.append(s)
            """, service.socket,
        ])
        _ = try await service.run.wait(for: "room") {
            let seen = try Command.capture([
                "curl", "-sN", "-m", "1", "--unix-socket", service.socket, "http://localhost/events",
            ])
            return seen.output.contains(#""kind":"snapshot""#) ? true : nil
        }
    }

    @Test("tell a reader that wants none of them how far it is, so that it goes on there")
    func bookmark() async throws {
        let service = try await Service()
        let reader = try service.follow("events?kind=portal")
        try await wait(reader, for: #""kind":"snapshot""#)
        let first = try #require(reader.lines.first { $0.hasPrefix("id: ") })
        try service.connect()
        try await wait(service.run, for: #""reachability":"ethernet""#)
        _ = try await reader.wait(for: "a later id", within: .seconds(60)) {
            reader.lines.contains { $0.hasPrefix("id: ") && $0 != first } ? true : nil
        }
        let lines = reader.lines
        #expect(lines.count { $0.hasPrefix("data: ") } == 1)
        let mark = try #require(lines.lastIndex { $0.hasPrefix("id: ") })
        // The comment is what it was: a sign of life for what is between.
        #expect(lines[mark - 1] == ":")
        // Another event may have come since.
        let events = service.run.lines.count
        let number = try #require(lines[mark].split(separator: "-").last.flatMap { Int($0) })
        #expect((2...events).contains(number), "\(lines[mark]) of \(events)")
    }

    @Test("a reader that stops costs little and holds up nobody, and learns how many it has missed")
    func stopped() async throws {
        let service = try await Service()
        let stopped = try service.follow()
        let lively = try service.follow()
        for reader in [stopped, lively] { try await wait(reader, for: #""kind":"snapshot""#) }
        stopped.send(SIGSTOP)
        try service.connect()
        let toggle = String(repeating: "route del default\nroute add default via 192.0.2.1 dev up0\n", count: 20)
        // A reader of 800 events, of more than 1 kB each, has far more before it than any buffer takes.
        for _ in 0..<500 where service.run.lines.count < 800 { try service.uplink.namespace.ip(toggle) }
        let count = lively.lines.count
        try service.uplink.namespace.ip("link set up0 down")
        _ = try await lively.wait(for: "the last event") { lively.lines.count > count ? true : nil }
        #expect(try service.get("livez") == "ok")
        stopped.send(SIGCONT)
        _ = try await stopped.wait(for: "the number of missed events") {
            stopped.lines.contains { $0.contains(#""skipped":"#) && !$0.contains(#""skipped":0"#) } ? true : nil
        }
    }
}
