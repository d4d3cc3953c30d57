import Foundation
import Glibc
import NetwatchService
import SystemPackage
import TestSupport
import Testing

@testable import History

@Suite(
    "The history of a service", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
    .timeLimit(.minutes(5)))
struct ServiceHistoryTests {
    /// A place for services that follow one another.
    private struct Place {
        let uplink: Uplink
        let folder: TemporaryFolder
        var socket: String { folder.path.appending("s.sock").string }
        var database: String { folder.path.appending("h.db").string }
        private var file: String { folder.path.appending("netwatch.yaml").string }

        init(_ targets: String = "probes: false") throws {
            uplink = try Uplink()
            folder = try TemporaryFolder()
            let yaml = """
                \(targets)
                service:
                  listen: []
                  socket: \(socket)
                  history: {path: \(database), days: 3, megabytes: 8}
                """
            _ = try folder.write(yaml.utf8, to: "netwatch.yaml")
        }

        func start() async throws -> ProgramRun {
            let run = try ProgramRun([Netwatch.path, "serve", "--config", file, "--json"], in: uplink.namespace)
            _ = try await run.wait(for: "the socket") { run.errorText.contains("listening on unix:") ? true : nil }
            _ = try await run.line(0)
            return run
        }

        func get(_ path: String) throws -> String {
            try Command.run(["curl", "-s", "-m", "20", "--unix-socket", socket, "http://localhost/\(path)"])
        }

        func follow(after id: String) throws -> ProgramRun {
            try ProgramRun([
                "curl", "-sN", "-m", "60", "--unix-socket", socket, "-H", "Last-Event-ID: \(id)",
                "http://localhost/events",
            ])
        }
    }

    private struct Document: Decodable {
        struct Part: Decodable {
            var target: String?
            var up: Double
            var down: Double
            var unknown: Double
            var suspended: Double

            var total: Double { ((up + down + unknown + suspended) * 1000).rounded() }
        }
        var seconds: Double
        var connectivity: Part?
        var targets: [Part]
    }

    private func document(_ text: String) throws -> Document {
        try JSONDecoder().decode(Document.self, from: Data(text.utf8))
    }

    /// How often a service is killed: more in a run that looks for what is rare.
    private static let kills = ProcessInfo.processInfo.environment["NETWATCH_KILLS"].flatMap(Int.init) ?? 8

    @Test("is whole after kill -9 in a storm of changes, again and again, and a reader misses nothing")
    func kills() async throws {
        let place = try Place()
        try place.uplink.connect()
        // Ends with the folder.
        let storm = try place.uplink.namespace.start([
            "sh", "-c",
            """
            while [ -e \(place.folder.path) ]; do ip link set up0 down; ip link set up0 up;
            ip route add default via 192.0.2.1 dev up0; ip route replace default via 192.0.2.1 dev up0 metric 9; sleep 0.02; done 2>/dev/null
            """,
        ])
        defer { withExtendedLifetime(storm) {} }
        var random = SystemRandomNumberGenerator()
        var seen: [String] = []
        for _ in 0..<Self.kills {
            let run = try await place.start()
            let end = ContinuousClock.now + .milliseconds(Int.random(in: 0...400, using: &random))
            // Read all the while: a log that takes no more has not all of them.
            while ContinuousClock.now < end, run.lines.count >= 0 { try await Task.sleep(for: .milliseconds(20)) }
            run.send(SIGKILL)
            _ = try await run.end()
            seen += run.lines.filter { $0.hasSuffix("}") }
        }
        let database = try Database(place.database, .readAndWrite)
        let check = try database.prepare("PRAGMA integrity_check")
        #expect(try check.step() && check.text(0) == "ok")
        let reading = try HistoryReading(place.database)
        let first = try #require(try database.number("SELECT min(epoch) FROM run"))
        let runs = try #require(try database.number("SELECT count(*) FROM run"))
        #expect(runs == Self.kills)
        let events = try reading.events(
            after: .init(run: UInt64(first), seq: 0), upTo: .init(run: .max, seq: .max), limit: .max)
        #expect(events.count > Self.kills)
        for (before, next) in zip(events, events.dropFirst()) where before.place.run == next.place.run {
            #expect(next.place.seq == before.place.seq + 1)
        }
        // What is kept is what was told.
        #expect(!Set(seen).isDisjoint(with: events.map { String(decoding: $0.line.dropLast(), as: UTF8.self) }))
        let now = Stamp.now.wall / 1_000_000
        for past in try reading.past(since: now - 3_600_000, until: now) {
            #expect(PastStatus.allCases.reduce(0) { $0 + past.timeline.milliseconds($1) } == 3_600_000)
        }
        // And a reader that knew an event of an earlier run gets all that followed.
        let known = try #require(events.dropLast(min(300, events.count - 1)).last?.place)
        let last = try await place.start()
        let follower = try place.follow(after: "\(known.run)-\(known.seq)")
        let wanted = events.map(\.place).filter { $0 > known }.map { "id: \($0.run)-\($0.seq)" }
        let ids = try await follower.wait(for: "the last run") {
            let ids = follower.lines.filter { $0.hasPrefix("id: ") }
            return ids.count > wanted.count ? ids : nil
        }
        #expect(!follower.lines.contains("event: gap"))
        #expect(Array(ids.prefix(wanted.count)) == wanted)
        last.send(SIGTERM)
        #expect(try await last.end() == 0)
    }

    @Test(
        "tells a reader that comes back after a restart what it has missed, chosen as it asks, and a gap where it must",
        arguments: [SIGTERM, SIGKILL])
    func resuming(signal: Int32) async throws {
        let place = try Place()
        let first = try await place.start()
        let reader = try place.follow(after: "none")
        _ = try await reader.wait(for: "an id") { reader.lines.contains { $0.hasPrefix("id: ") } ? true : nil }
        let id = try #require(reader.lines.first { $0.hasPrefix("id: ") }?.dropFirst(4))
        reader.send(SIGTERM)
        try place.uplink.connect()
        _ = try await first.wait(for: "a path") {
            first.lines.contains { $0.contains(#""reachability":"ethernet""#) } ? true : nil
        }
        // Written at once, and not only in the end.
        _ = try await first.wait(for: "the transition in the file") {
            try HistoryReading(place.database).transitions(1).isEmpty ? nil : true
        }
        let missed = first.lines.dropFirst().prefix { !$0.contains(#""kind":"transition""#) }.count + 1
        first.send(signal)
        #expect(try await first.end() == (signal == SIGTERM ? 0 : 128 + SIGKILL))
        let second = try await place.start()
        let back = try place.follow(after: String(id))
        _ = try await back.wait(for: "the second run") {
            back.lines.count { $0.contains(#""kind":"snapshot""#) } == 1 ? true : nil
        }
        #expect(!back.lines.contains("event: gap"))
        let data = back.lines.filter { $0.hasPrefix("data: ") }.map { String($0.dropFirst(6)) }
        #expect(Array(data.prefix(missed)) == Array(first.lines.dropFirst().prefix(missed)))
        let chosen = try Command.run([
            "sh", "-c",
            "curl -sN -m 3 --unix-socket \(place.socket) -H 'Last-Event-ID: \(id)' 'http://localhost/events?kind=portal'; true",
        ])
        #expect(chosen.split(separator: "\n").filter { $0.hasPrefix("data: ") }.count == 1)
        let stranger = try place.follow(after: "7-7")
        _ = try await stranger.wait(for: "a gap") { stranger.lines.contains("event: gap") ? true : nil }
        second.send(SIGTERM)
        _ = try await second.end()
    }

    @Test("adds up to the wall clock's time, whoever is asked in whatever form, with names of all kinds")
    func forms() async throws {
        let name = "a \"b\", <script>" + String(repeating: "x", count: 10_000)
        let target = try #require(String(data: try JSONEncoder().encode(name), encoding: .utf8))
        let place = try Place("interval: 1s\ntargets: [{name: \(target), url: \"http://192.0.2.1:9/\"}]")
        try place.uplink.connect()
        let run = try await place.start()
        _ = try await run.wait(for: "a second line") { run.lines.count > 1 ? true : nil }
        let told = try document(place.get("history?since=90m"))
        #expect(told.seconds == 5400 && told.targets.map(\.target) == [name])
        let parts = [try #require(told.connectivity)] + told.targets
        for part in parts { #expect(part.total == 5_400_000) }
        let json = try await Netwatch.run([
            "history", "--socket", place.socket, "--since", "2d", "--json", "--target", name,
        ])
        let alone = try document(json.lines.joined())
        #expect(alone.connectivity == nil && alone.targets.map(\.total) == [172_800_000])
        let csv = try await Netwatch.run(["history", "--socket", place.socket, "--csv"])
        #expect(csv.lines.count == 3 && csv.lines[2].hasPrefix("\"a \"\"b\"\", <script>xxx"))
        #expect(try place.get("history?since=soon").hasPrefix("since is a time such as"))
        #expect(try place.get("targets/nothing").hasPrefix("there is no such target"))
        #expect(try place.get("history?target=nope") == "nothing is known of a target nope\n")
        let unknown = try await Netwatch.run(["history", "--socket", place.socket, "--target", "nope"])
        #expect(
            unknown.status == 66 && unknown.errorText == "netwatch: nothing is known of a target nope\n", "\(unknown)")
        let path = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        if path.utf8.count < 8000 { #expect(try place.get("targets/\(path)").hasPrefix("{\"now\":")) }
        run.send(SIGTERM)
        _ = try await run.end()
        let alike = try await Netwatch.run(["history", "--file", place.database])
        #expect(alike.status == 0 && alike.lines.count == 4, "\(alike)")
        #expect(try await Netwatch.run(["history", "--file", place.database, "--target", "none"]).status == 66)
        #expect(try await Netwatch.run(["history", "--file", "/nonexistent/h.db"]).status == 66)
        let damaged = try FileHandle(forUpdating: URL(filePath: place.database))
        try damaged.seek(toOffset: 4096)
        try damaged.write(contentsOf: Data(repeating: 0xAA, count: 40960))
        try damaged.close()
        let unread = try await Netwatch.run(["history", "--file", place.database])
        #expect(unread.status == 66 && unread.errorText.contains("malformed"), "\(unread)")
    }

    @Test("says that the disk is full, while all else goes on, and goes on itself when there is room again")
    func fullDisk() async throws {
        let folder = try TemporaryFolder()
        let at = { (name: String) in folder.path.appending(name).string }
        let yaml = """
            interval: 200ms
            targets: [{name: nobody, url: "http://127.0.0.1:9/"}]
            service: {listen: [], socket: \(at("s.sock")), history: {path: \(at("disk/h.db"))}}
            """
        let file = try folder.write(yaml.utf8, to: "netwatch.yaml").string
        try FileManager.default.createDirectory(atPath: at("disk"), withIntermediateDirectories: false)
        let script = """
            ip link set lo up; mount -t tmpfs -o size=600k tmpfs \(at("disk")) || exit 99
            (until [ -e \(at("fill")) ]; do sleep 0.1; done; dd if=/dev/zero of=\(at("disk/fill")) bs=4k 2>/dev/null
            until [ -e \(at("free")) ]; do sleep 0.1; done; rm \(at("disk/fill"))) &
            exec "$0" serve --config \(file) --json
            """
        let run = try ProgramRun(["unshare", "-Urmn", "sh", "-c", script, Netwatch.path])
        defer { run.send(SIGKILL) }
        _ = try await run.wait(for: "the socket") { run.errorText.contains("listening on unix:") ? true : nil }
        _ = try folder.write([], to: "fill")
        func ask(_ path: String) throws -> String {
            try Command.run(["curl", "-s", "-m", "20", "--unix-socket", at("s.sock"), "http://localhost/\(path)"])
        }
        // Who asks has what waits written.
        _ = try await run.wait(for: "a word of the full disk", within: .seconds(60)) {
            _ = try? ask("history")
            return run.errorText.contains("history: it cannot be written: ") ? true : nil
        }
        #expect(try ask("status").contains("nobody"))
        #expect(try ask("metrics").contains("netwatch_history_writable 0\n"))
        _ = try folder.write([], to: "free")
        _ = try await run.wait(for: "a word of room", within: .seconds(60)) {
            run.errorText.contains("can be written again") ? true : nil
        }
        #expect(try document(ask("history")).targets.map(\.target) == ["nobody"])
    }
}
