import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("netwatch record and netwatch replay", .timeLimit(.minutes(2)))
struct TraceTests {
    @Test(
        "a run with routes, carrier and probes replays byte for byte",
        .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "needs namespaces and nginx"))
    func scenario() async throws {
        let uplink = try Uplink()
        let folder = try TemporaryFolder()
        let trace = folder.path.appending("trace").string
        let run = try Netwatch.start(
            "record", trace, "--probe", "http://192.0.2.2/", "--timeout", "2s", in: uplink.namespace)
        let first = try JSONLine(await run.line(0))
        #expect(first.kind == "snapshot")
        #expect(first.reachability == "none")
        try uplink.connect()
        let server = try NginxServer(in: uplink.namespace, port: 80, locations: "location / { return 204; }")
        defer { withExtendedLifetime(server) {} }
        _ = try await run.line { (try? JSONLine($0))?.connectivity == "full" }
        try uplink.namespace.ip("link set far0 down")
        let lost = try await run.line { (try? JSONLine($0))?.cause.description == "up0 lost its carrier" }
        #expect(try JSONLine(lost).reachability == "none")
        try uplink.namespace.ip("link set far0 up")
        let lostSequence = try JSONLine(lost).seq
        _ = try await run.line { line in
            guard let event = try? JSONLine(line) else { return false }
            return event.seq > lostSequence && event.connectivity == "full"
        }
        run.send(SIGINT)
        #expect(try await run.end() == 0)
        #expect(run.errorText == "")

        // Outside the namespace, where all is different.
        let replay = try await Netwatch.run(["replay", trace])
        #expect(replay.status == 0)
        #expect(replay.errorText == "")
        #expect(replay.lines == run.lines)
        #expect(replay.lines.count >= 4)
        let mode = try FilePath(trace).stat().permissions
        #expect(mode == .ownerReadWrite)
    }

    @Test("the recordings that are checked in give the lines beside them", arguments: ["routes", "probes"])
    func fixtures(name: String) async throws {
        let replay = try await Netwatch.run(["replay", Self.fixture(name)])
        #expect(replay.status == 0)
        #expect(replay.errorText == "")
        let expected = try String(
            contentsOfFile: Netwatch.file("Tests/CommandTests/Traces/\(name).lines"), encoding: .utf8)
        #expect(replay.lines.map { $0 + "\n" }.joined() == expected)
        #expect(replay.lines.count >= 4)
    }

    @Test("an hour in which nothing was told passes at once")
    func hour() async throws {
        var lines = try String(contentsOfFile: Self.fixture("probes"), encoding: .utf8).split(separator: "\n")
        let last = lines.removeLast()
        let time = try #require(last.firstMatch(of: /"monotonic":(\d+)/))
        let later = try #require(UInt64(time.output.1)) + 3_600_000_000_000
        lines.append(last.replacing(time.output.0, with: "\"monotonic\":\(later)"))
        let begin = ContinuousClock.now
        let replay = try await Self.replay(Data((lines.joined(separator: "\n") + "\n").utf8))
        #expect(replay.status == 0, "\(replay.errorText)")
        #expect(replay.lines.count >= 4)
        // A replay that waited would meet the suite's time limit long before.
        #expect(begin.duration(to: .now) < .seconds(3_600))
    }

    @Test("a recording that ends in the middle of a line gives what came before, and names the line")
    func truncated() async throws {
        let text = try String(contentsOfFile: Self.fixture("probes"), encoding: .utf8)
        let whole = try await Netwatch.run(["replay", Self.fixture("probes")])
        let count = text.split(separator: "\n").count
        let outcome = try await Self.replay(Data(text.utf8.dropLast(20)))
        #expect(outcome.status == 65)
        #expect(outcome.errorText.contains("line \(count): the file ends in the middle"), "\(outcome.errorText)")
        #expect(outcome.lines == Array(whole.lines.prefix(outcome.lines.count)))
        #expect(outcome.lines.count >= whole.lines.count - 1)
    }

    @Test(
        "what is no recording is refused by line 1",
        arguments: [
            ("", "the file is empty"), ("\n", "not the header"), ("hello\n", "not the header"),
            ("[]\n", "not the header"),
            ("{\"format\":\"netwatch-trace\",\"schema\":99}\n", "schema 99 is unknown"),
            ("{\"format\":\"netwatch-trace\",\"schema\":1}\n", "'version' is missing"),
            ("{\"format\":\"netwatch-trace\"", "ends in the middle"),
            (String(repeating: "[", count: 100_000) + "\n", "not the header"),
        ])
    func header(content: String, problem: String) async throws {
        let outcome = try await Self.replay(Data(content.utf8))
        #expect(outcome.status == 65)
        #expect(outcome.lines == [])
        #expect(outcome.errorText.contains("line 1: ") && outcome.errorText.contains(problem), "\(outcome.errorText)")
        #expect(outcome.errorText.filter { $0 == "\n" }.count == 1)
    }

    @Test(
        "a line longer than any that is written is refused in bounded memory",
        .disabled(if: Sanitizer.isInUse, "a sanitizer wants all of the address space"))
    func huge() async throws {
        let command = "head -c 200000000 /dev/zero | (ulimit -v 1500000; exec \"$0\" replay /dev/stdin)"
        let outcome = try await Netwatch.run(command: ["sh", "-c", command, Netwatch.path])
        #expect(outcome.status == 65)
        #expect(outcome.errorText.contains("line 1: it is longer than"), "\(outcome.errorText)")
    }

    @Test("a damaged recording is refused by the line that does not fit, and crashes nothing", arguments: 0..<40)
    func damaged(seed: Int) async throws {
        var bytes = Array(try Data(contentsOf: URL(filePath: Self.fixture("probes"))))
        // Digits stay digits and names stay names, so that most of it is still JSON.
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0...(seed % 4) {
            let index = Int.random(in: bytes.indices, using: &random)
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): bytes[index] = UInt8.random(in: 48...57, using: &random)
            case UInt8(ascii: "a")...UInt8(ascii: "z"): bytes[index] = UInt8.random(in: 97...122, using: &random)
            default: bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
        }
        let outcome = try await Self.replay(Data(bytes))
        #expect([0, 65].contains(outcome.status), "\(outcome.errorText)")
        #expect((outcome.status == 65) == outcome.errorText.contains("line "))
    }

    @Test(
        "a value that nothing can have had is refused, and nothing is reckoned with it",
        arguments: [
            (#""lastSequence":"#, "18446744073709551615", "no run has told"),
            (#""monotonic":"#, "18446744073709551615", "no clock shows"),
            (#""after":["#, "9223372036854775807", "cannot have been heard"),
            (#""after":["#, "-9223372036854775808", "cannot have been heard"),
        ])
    func impossible(key: String, value: String, problem: String) async throws {
        var text = try String(contentsOfFile: Self.fixture("probes"), encoding: .utf8)
        let start = try #require(text.firstRange(of: key)).upperBound
        let end = try #require(text[start...].firstIndex { !$0.isNumber })
        text.replaceSubrange(start..<end, with: value)
        let outcome = try await Self.replay(Data(text.utf8))
        #expect(outcome.status == 65 && outcome.errorText.contains(problem), "\(outcome)")
    }

    @Test("so is a sleep of thousands of years")
    func impossibleSleep() async throws {
        var lines = try String(contentsOfFile: Self.fixture("probes"), encoding: .utf8).split(separator: "\n")
        let time = try #require(lines[4].firstMatch(of: /"time":(\d+)/)?.1)
        lines.insert(
            "{\"path\":{\"record\":{\"event\":{\"asleep\":{\"_0\":[9223372036854775807,0]}},\"time\":\(time)}}}", at: 6)
        let outcome = try await Self.replay(Data(lines.map { $0 + "\n" }.joined().utf8))
        #expect(outcome.status == 65 && outcome.errorText.contains("no host was asleep for so long"), "\(outcome)")
    }

    @Test("a record that is missing, doubled or out of order is found by the layer that needs it")
    func misfits() async throws {
        let lines = try String(contentsOfFile: Self.fixture("routes"), encoding: .utf8).split(separator: "\n")
        let input = try #require(lines.lastIndex { $0.contains("\"input\"") && $0.contains("\"path\"") })
        var doubled = lines
        doubled.insert(lines[input], at: input)
        let outcome = try await Self.replay(Data((doubled.joined(separator: "\n") + "\n").utf8))
        #expect(outcome.status == 65)
        #expect(outcome.errorText.contains("line \(input + 2): the path does not fit"), "\(outcome.errorText)")
        var reordered = lines
        reordered.append(lines[try #require(lines.firstIndex { $0.contains("\"input\"") })])
        let backwards = try await Self.replay(Data((reordered.joined(separator: "\n") + "\n").utf8))
        #expect(backwards.status == 65)
        #expect(backwards.errorText.contains("line \(lines.count + 1): the time runs backwards"))
    }

    @Test(
        "a recording ends at its limit, whole, and says so",
        .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
    func limit() async throws {
        let uplink = try Uplink()
        let folder = try TemporaryFolder()
        let trace = folder.path.appending("trace").string
        let run = try Netwatch.start("record", trace, "--no-probe", "--limit", "40K", in: uplink.namespace)
        _ = try await run.line(0)
        try uplink.connect()
        let flaps = try uplink.namespace.start(
            "sh", "-c", "while sleep 0.05; do ip link set far0 down; ip link set far0 up; done")
        #expect(try await run.end() == 0)
        flaps.terminate()
        #expect(run.errorText.contains("has reached its limit of 40960 bytes"), "\(run.errorText)")
        let size = try Data(contentsOf: URL(filePath: trace)).count
        #expect(size <= 40960 && size > 20000)
        let replay = try await Netwatch.run(["replay", trace])
        #expect(replay.status == 0)
        #expect(replay.lines == Array(run.lines.prefix(replay.lines.count)))
        #expect(replay.lines.count >= run.lines.count - 1)
    }

    @Test("a signal ends a recording, though its reader takes nothing")
    func stoppedReader() async throws {
        let script = """
            import os, signal, subprocess, sys, time
            reader, writer = os.pipe(); os.set_blocking(writer, False)
            try:
                while True: os.write(writer, bytes(65536))
            except BlockingIOError: pass
            os.set_blocking(writer, True)
            run = subprocess.Popen(sys.argv[1:], stdout=writer)
            def handles():
                try: return any("signalfd" in os.readlink(f.path) for f in os.scandir(f"/proc/{run.pid}/fd"))
                except OSError: return False
            while run.poll() is None and not handles(): time.sleep(0.01)
            run.send_signal(signal.SIGTERM)
            try: print(run.wait(15), flush=True)
            finally: run.kill()
            """
        let outcome = try await Netwatch.run(
            command: ["/usr/bin/python3", "-c", script, Netwatch.path, "record", "/dev/null", "--no-probe"])
        #expect(outcome.lines == ["0"], "\(outcome)")
    }

    @Test("a file that cannot be read is 66, one that cannot be written 74, each in one line")
    func files() async throws {
        for path in ["/does/not/exist", "/tmp"] {
            let read = try await Netwatch.run(["replay", path])
            #expect(read.status == 66)
            #expect(read.errorText.contains("cannot read the recording \(path)"), "\(read.errorText)")
            let written = try await Netwatch.run(["record", path, "--no-probe"])
            #expect(written.status == 74)
            #expect(written.errorText.contains("cannot write the recording \(path)"), "\(written.errorText)")
        }
        let full = try await Netwatch.run(["record", "/dev/full", "--no-probe"])
        #expect(full.status == 74)
        #expect(full.errorText.contains("No space left on device"))
        #expect(full.errorText.filter { $0 == "\n" }.count == 1)
    }

    private static func fixture(_ name: String) -> String {
        Netwatch.file("Tests/CommandTests/Traces/\(name).trace")
    }

    private static func replay(_ content: Data) async throws -> Netwatch.Outcome {
        let folder = try TemporaryFolder()
        return try await Netwatch.run(["replay", try folder.write(content, to: "trace").string])
    }
}
