import Connectivity
import Foundation
import History
import JSON
import Netwatch
import SystemPackage
import TestSupport
import Testing

@testable import NetwatchService

@Suite("Metrics and events by push")
struct PushTests {
    private static let origin = EventOrigin(
        id: "5c1a9a8cc2054f958b631145d945b415", name: "router-7", labels: ["site": "Bern"], epoch: 1_795_350_463)

    @Test("the text has whose it is in each sample, and no time stamps")
    func text() {
        let text = PushedText.text(StateMetrics.families(.online, version: "1"), of: Self.origin)
        let samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(!samples.isEmpty)
        for sample in samples {
            #expect(sample.contains("job=\"netwatch\",instance=\"router-7\",site=\"Bern\"}"), "\(sample)")
            #expect(sample.split(separator: "}").last?.split(separator: " ").count == 1, "\(sample)")
        }
    }

    @Test("OpenTelemetry's metrics have the resource, the time, and buckets that count what lies between bounds")
    func metrics() throws {
        var histogram = Histogram()
        for value in [0.001, 0.3, 0.3, 99] { histogram.record(value) }
        let families = [
            MetricFamily("a_total", .counter, help: "A.", [.init(3, [.init("b", "c")])]),
            MetricFamily("h_seconds", .histogram, help: "H.", histogram.samples([.init("x", "y")])),
        ]
        let value = OTLP(origin: Self.origin).metrics(families, at: 7)
        let resource = value["resourceMetrics"]?[0]
        let attributes = resource?["resource"]?["attributes"]?.arrayValue ?? []
        #expect(
            attributes.contains { $0["key"] == "host.id" && $0["value"]?["stringValue"] == .string(Self.origin.id) })
        #expect(attributes.contains { $0["key"] == "site" && $0["value"]?["stringValue"] == "Bern" })
        let metrics = try #require(resource?["scopeMetrics"]?[0]?["metrics"])
        let sum = try #require(metrics[0]?["sum"])
        #expect(sum["isMonotonic"] == true && sum["aggregationTemporality"] == 2)
        #expect(sum["dataPoints"]?[0]?["timeUnixNano"] == "7" && sum["dataPoints"]?[0]?["asDouble"] == 3.0)
        #expect(sum["dataPoints"]?[0]?["startTimeUnixNano"] == "1795350463000000000")
        let point = try #require(metrics[1]?["histogram"]?["dataPoints"]?[0])
        let counts = point["bucketCounts"]?.arrayValue?.compactMap { $0.stringValue.flatMap { Int($0) } } ?? []
        #expect(counts.reduce(0, +) == 4 && counts.first == 1 && counts.last == 1 && counts.max() == 2)
        #expect(counts.count == (point["explicitBounds"]?.arrayValue?.count ?? 0) + 1 && point["count"] == "4")
    }

    /// When counters begin, in seconds, at pushes of one run.
    ///
    /// - Parameter pushes: When they are by the clock, and how long the run has lasted by then, in seconds.
    private static func beginnings(_ pushes: [(second: UInt64, running: UInt64)]) -> [UInt64?] {
        let families = [MetricFamily("a_total", .counter, help: "A.", [.init(3)])]
        var otlp = OTLP(origin: origin)
        return pushes.map { second, running in
            otlp.fit(to: second * 1_000_000_000, running: running * 1_000_000_000)
            let metric = otlp.metrics(families, at: second * 1_000_000_000)["resourceMetrics"]?[0]?["scopeMetrics"]?[0]
            let point = metric?["metrics"]?[0]?["sum"]?["dataPoints"]?[0]
            return point?["startTimeUnixNano"]?.stringValue.flatMap { UInt64($0) }.map { $0 / 1_000_000_000 }
        }
    }

    @Test("counters never begin later than now, and stay where a clock that was set back has put their beginning")
    func beginning() {
        let starts = Self.beginnings([(1_795_350_470, 7), (1_700_000_000, 8), (1_700_000_011, 18)])
        #expect(starts == [1_795_350_463, 1_699_999_992, 1_699_999_992])
        // A run that begins within a second of another has a number that lies ahead.
        #expect(Self.beginnings([(1_795_350_462, 1), (1_795_350_464, 3)]) == [1_795_350_462, 1_795_350_462])
    }

    @Test("counters begin when the run has, once a clock that began in 1970 is set")
    func lateClock() {
        let starts = Self.beginnings([(40, 10), (50, 20), (1_795_360_000, 70), (1_795_360_011, 80)])
        #expect(starts == [30, 30, 1_795_359_930, 1_795_359_930])
    }

    @Test("an event is a record of a log, and so is a gap")
    func logs() throws {
        let place = EventCursor(run: 5, seq: 2)
        let value = OTLP(origin: Self.origin).logs([
            .gap(after: EventCursor(run: 5, seq: 0), upTo: EventCursor(run: 5, seq: 1)),
            .event(.carrierLost, at: place),
        ])
        let records = try #require(value["resourceLogs"]?[0]?["scopeLogs"]?[0]?["logRecords"])
        #expect(records[0]?["body"]?["stringValue"] == "the events after 5-0 up to 5-1 are lost")
        #expect(records[1]?["severityText"] == "WARN" && records[1]?["severityNumber"] == 13)
        let attributes = records[1]?["attributes"]?.arrayValue ?? []
        #expect(attributes.contains { $0["key"] == "netwatch.seq" && $0["value"]?["intValue"] == "2" })
        #expect(
            attributes.contains { $0["key"] == "event.name" && $0["value"]?["stringValue"] == "netwatch.transition" })
    }

    /// What the collector of the tests has got.
    private struct Post: Decodable {
        let path: String
        let type: String
        let authorization: String
        let status: Int
        let body: String
    }

    private static func posts(_ collector: BackgroundProcess) -> [Post] {
        collector.output.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(Post.self, from: Data($0.utf8))
        }
    }

    private static func serve(_ section: String, in uplink: Uplink, _ folder: TemporaryFolder) throws -> ProgramRun {
        let yaml = """
            service:
              listen: 127.0.0.1:0
              socket: \(folder.path.appending("s.sock").string)
              name: router-7
              labels: {site: Bern}
              push: \(section)

            """
        let file = try folder.write(yaml.utf8, to: "netwatch.yaml").string
        return try ProgramRun([Netwatch.path, "serve", "--config", file, "--no-probe"], in: uplink.namespace)
    }

    @Test(
        "a collector gets metrics and each event once, also after it refused, with the token",
        .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"), .timeLimit(.minutes(2)))
    func collector() async throws {
        let (uplink, folder, port) = (try Uplink(), try TemporaryFolder(), try FreePort.next())
        let token = try folder.write("push-secret\n".utf8, to: "token").string
        let script = Netwatch.file("Tests/Support/Scripts/otlp-collector.py")
        let enter = ["nsenter", "--net=\(uplink.namespace.path)", "--"]
        let collector = try BackgroundProcess(enter + ["/usr/bin/python3", script, "\(port)", "503", "429"])
        let run = try Self.serve(
            "{url: 'http://127.0.0.1:\(port)', format: otlp, interval: 300ms, tokenFile: \(token)}", in: uplink, folder)
        _ = try await run.wait(for: "the logs") {
            Self.posts(collector).contains { $0.path == "/v1/logs" && $0.status == 200 } ? true : nil
        }
        try uplink.connect()
        _ = try await run.wait(for: "the next event") {
            Self.posts(collector).contains { $0.body.contains("netwatch.transition") } ? true : nil
        }
        let posts = Self.posts(collector)
        #expect(posts.allSatisfy { $0.authorization == "Bearer push-secret" && $0.type == "application/json" })
        #expect(posts.contains { $0.path == "/v1/metrics" && $0.body.contains("netwatch_host_info") })
        let numbers = posts.filter { $0.path == "/v1/logs" && $0.status == 200 }.flatMap { post in
            post.body.matches(of: /"netwatch\.seq","value":{"intValue":"(\d+)"/).compactMap { Int($0.1) }
        }
        #expect(numbers == Array(Set(numbers)).sorted(), "\(numbers)")
        #expect(!run.errorText.contains("push-secret"))
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
    }

    @Test("what a collector says it has not taken is read, as a text or a number, and a warning without one")
    func partialSuccess() {
        func read(_ text: String) -> PartialSuccess? { PartialSuccess(Data(text.utf8)) }
        for count in [#""2""#, "2"] {
            let partial = read(#"{"partialSuccess":{"rejectedLogRecords":\#(count),"errorMessage":"too old"}}"#)
            #expect(partial?.words(of: "events") == "2 of the events were refused: too old")
        }
        let points = read(#"{"partialSuccess":{"rejectedDataPoints":"3"}}"#)
        #expect(points?.words(of: "data points") == "3 of the data points were refused")
        let warning = read(#"{"partialSuccess":{"errorMessage":"move on"}}"#)
        #expect(warning?.words(of: "events") == "a warning about events: move on")
        for whole in ["", "{}", #"{"partialSuccess":{}}"#, #"{"partialSuccess":{"rejectedLogRecords":"0"}}"#, "[1"] {
            #expect(read(whole) == nil, "\(whole)")
        }
    }

    @Test(
        "events that a collector refuses in an answer of success are told, and not sent again",
        .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"), .timeLimit(.minutes(2)))
    func partiallyRefused() async throws {
        let (uplink, folder, port) = (try Uplink(), try TemporaryFolder(), try FreePort.next())
        let script = Netwatch.file("Tests/Support/Scripts/otlp-collector.py")
        let enter = ["nsenter", "--net=\(uplink.namespace.path)", "--"]
        let collector = try BackgroundProcess(enter + ["/usr/bin/python3", script, "\(port)", "200", "-1"])
        let run = try Self.serve("{url: 'http://127.0.0.1:\(port)', format: otlp, interval: 300ms}", in: uplink, folder)
        _ = try await run.wait(for: "the refusal") {
            run.errorText.contains("otlp: 1 of the events was refused: too old") ? true : nil
        }
        _ = try await run.wait(for: "more metrics") {
            Self.posts(collector).count { $0.path == "/v1/metrics" } > 3 ? true : nil
        }
        let numbers = Self.posts(collector).filter { $0.path == "/v1/logs" }.flatMap { post in
            post.body.matches(of: /"netwatch\.seq","value":{"intValue":"(\d+)"/).compactMap { Int($0.1) }
        }
        #expect(numbers.first == 1 && numbers == Array(Set(numbers)).sorted(), "\(numbers)")
        run.send(SIGTERM)
        _ = try await run.end()
    }

    @Test(
        "metrics that a collector refuses are no reason to give up events",
        .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"), .timeLimit(.minutes(2)))
    func refusedMetrics() async throws {
        let (uplink, folder, port) = (try Uplink(), try TemporaryFolder(), try FreePort.next())
        let script = Netwatch.file("Tests/Support/Scripts/otlp-collector.py")
        let enter = ["nsenter", "--net=\(uplink.namespace.path)", "--"]
        // Three times the metrics; then the events are not taken for another reason.
        let answers = ["400", "400", "400", "200", "404"]
        let collector = try BackgroundProcess(enter + ["/usr/bin/python3", script, "\(port)"] + answers)
        let run = try Self.serve("{url: 'http://127.0.0.1:\(port)', format: otlp, interval: 300ms}", in: uplink, folder)
        let taken = try await run.wait(for: "the logs") {
            Self.posts(collector).first { $0.path == "/v1/logs" && $0.status == 200 }
        }
        #expect(taken.body.contains(#""netwatch.seq","value":{"intValue":"1""#), "\(taken.body)")
        #expect(!run.errorText.contains("given up"), "\(run.errorText)")
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
    }

    /// The collector rotel, where Python's package of it is installed.
    private static let rotelAgent: String? = {
        let script = "import importlib.util as u; print(u.find_spec('rotel').submodule_search_locations[0])"
        guard let folder = try? Command.run(["/usr/bin/env", "python3", "-c", script]) else { return nil }
        return folder.split(separator: "\n").last.map { "\($0)/rotel-agent" }
    }()

    @Test(
        "the collector rotel takes metrics and events",
        .enabled(if: TestNamespace.unavailable == nil && rotelAgent != nil, "rotel (PyPI) is not installed"),
        .timeLimit(.minutes(2)))
    func rotel() async throws {
        let (uplink, folder) = (try Uplink(), try TemporaryFolder())
        let (port, other) = (try FreePort.next(), try FreePort.next())
        let enter = ["nsenter", "--net=\(uplink.namespace.path)", "--"]
        let collector = try BackgroundProcess(
            enter + [
                try #require(Self.rotelAgent), "start", "--otlp-http-endpoint", "127.0.0.1:\(port)",
                "--otlp-grpc-endpoint",
                "127.0.0.1:\(other)", "--exporter", "blackhole", "--debug-log", "metrics", "--debug-log", "logs",
                "--debug-log-verbosity", "detailed", "--pid-file", folder.path.appending("pid").string,
            ])
        let run = try Self.serve(
            "{url: 'http://127.0.0.1:\(port)', format: otlp, interval: 500ms}", in: uplink, folder)
        for word in ["netwatch_host_info", "netwatch.snapshot", "router-7"] {
            _ = try await run.wait(for: word, within: .seconds(60)) { collector.output.contains(word) ? true : nil }
        }
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
    }

    @Test(
        "VictoriaMetrics takes the text and answers a query",
        .enabled(
            if: TestNamespace.unavailable == nil
                && FileManager.default.isExecutableFile(atPath: "/usr/bin/victoria-metrics"),
            "VictoriaMetrics is not installed"), .timeLimit(.minutes(2)))
    func victoria() async throws {
        let (uplink, folder, port) = (try Uplink(), try TemporaryFolder(), try FreePort.next())
        let enter = ["nsenter", "--net=\(uplink.namespace.path)", "--"]
        let base = "http://127.0.0.1:\(port)"
        let victoria = try BackgroundProcess(
            enter + [
                "victoria-metrics", "-storageDataPath=\(folder.path.appending("data").string)",
                "-httpListenAddr=127.0.0.1:\(port)", "-search.latencyOffset=0s",
            ])
        let run = try Self.serve(
            "[{url: '\(base)/api/v1/import/prometheus', format: prometheus, interval: 500ms}]", in: uplink, folder)
        let query = "\(base)/api/v1/query?query=netwatch_host_info"
        _ = try await run.wait(for: "the answer") {
            let answer = (try? Command.run(enter + ["curl", "-s", "-m", "5", query])) ?? ""
            return answer.contains("\"instance\":\"router-7\"") && answer.contains("\"site\":\"Bern\"") ? true : nil
        }
        withExtendedLifetime(victoria) {}
    }
}
