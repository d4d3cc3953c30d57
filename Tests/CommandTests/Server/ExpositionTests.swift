import Connectivity
import EventLoop
import NetwatchService
import Reachability
import Testing

@Suite("Metrics")
struct ExpositionTests {
    private static let family = MetricFamily(
        "x_total", .counter, help: "A \\ and a\nline.", [.init(3, [.init("name", "a\"b\\c\nd")])])

    @Test("the Prometheus format escapes what has a meaning in it")
    func prometheus() {
        #expect(
            Exposition.prometheus.text([Self.family]) == """
                # HELP x_total A \\\\ and a\\nline.
                # TYPE x_total counter
                x_total{name="a\\"b\\\\c\\nd"} 3

                """)
    }

    @Test("OpenMetrics names a counter without its suffix and ends with EOF")
    func openMetrics() {
        let lines = Exposition.openMetrics.text([Self.family]).split(separator: "\n")
        #expect(lines[1] == "# TYPE x counter")
        #expect(lines[2].hasPrefix("x_total{"))
        #expect(lines.last == "# EOF")
    }

    @Test(
        "OpenMetrics is given only to those who ask for it by name",
        arguments: [
            (nil, Exposition.prometheus), ("", .prometheus), ("*/*", .prometheus), ("text/plain", .prometheus),
            ("application/openmetrics-text", .openMetrics),
            ("application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.3", .openMetrics),
            ("Application/OpenMetrics-Text ; version=1.0.0", .openMetrics),
            ("application/openmetrics-text;q=0, */*", .prometheus),
        ])
    func negotiation(accept: String?, expected: Exposition) {
        #expect(Exposition(accept: accept) == expected)
    }

    @Test("a state is one series for each value, and exactly one of them is 1")
    func states() {
        let families = StateMetrics.families(.online, version: "1")
        for name in ["netwatch_reachability_state", "netwatch_connectivity_state"] {
            let family = families.first { $0.name == name }
            #expect(family?.samples.count == 6)
            #expect(family?.samples.filter { $0.value == 1 }.count == 1)
        }
    }

    private func at(_ seconds: UInt64) -> Instant {
        Instant(monotonic: MonotonicTime(nanoseconds: seconds * 1_000_000_000), wall: seconds * 1_000_000_000)
    }

    /// What knows since second 2 that a target is well by eth0, and the event that tells it.
    private func answered() throws -> (reducer: ConnectivityReducer, event: Event) {
        var configuration = ConnectivityConfiguration(targets: [try Target("http://192.0.2.1/", name: "shop")])
        configuration.interval = .seconds(10)
        configuration.timeout = .seconds(3)
        var reducer = ConnectivityReducer(configuration: configuration, seed: 1)
        let update = PathUpdate(
            previous: .unknown, path: .viaEth0, cause: Cause(kind: .start, description: "the test begins"),
            time: at(1).monotonic)
        let probe = try #require(reducer.reduce(.path(update), at: at(1)).probes.first)
        var result = ProbeResult(target: "shop", outcome: .success, duration: 1, time: at(2).monotonic)
        result.statusCode = 200
        result.certificate = CertificateFacts(subject: "CN=shop", issuer: "CN=ca", notBefore: 0, notAfter: 86400)
        let event = try #require(reducer.reduce(.ended(probe.id, result), at: at(2)).event)
        return (reducer, event)
    }

    @Test("what nobody has looked at for too long is exported as unknown, and never as it was")
    func staleness() throws {
        let (start, known) = try answered()
        var reducer = start
        let before = Exposition.prometheus.text(StateMetrics.families(known, version: "1"))
        #expect(before.contains("netwatch_target_up{target=\"shop\"} 1\n"))
        #expect(before.contains("netwatch_connectivity_state{state=\"full\"} 1\n"))
        #expect(before.contains("netwatch_probe_success{target=\"shop\""))
        // Three intervals and a time-out later, as after a sleep.
        let stale = try #require(reducer.reduce(.timer, at: at(40)).event)
        let after = Exposition.prometheus.text(StateMetrics.families(stale, version: "1"))
        #expect(after.contains("netwatch_connectivity_state{state=\"unknown\"} 1\n"))
        #expect(after.contains("netwatch_connectivity_state{state=\"full\"} 0\n"))
        #expect(!after.contains("netwatch_target_up{"))
        #expect(!after.contains("netwatch_probe_success{"))
        #expect(after.contains("netwatch_last_check_timestamp_seconds 2\n"), "\(after)")
    }

    @Test("what a target answered before its path was lost is no longer exported, but for the end of its certificate")
    func cutOff() throws {
        var reducer = try answered().reducer
        let update = PathUpdate(
            previous: .viaEth0, path: Path(status: .none), cause: Cause(kind: .link, description: "eth0 is gone"),
            time: at(3).monotonic)
        _ = reducer.reduce(.path(update), at: at(3))
        let text = Exposition.prometheus.text(StateMetrics.families(reducer.snapshot(at: at(4)), version: "1"))
        #expect(!text.contains("netwatch_target_up{"))
        for name in ["success", "latest_duration_seconds", "http_status_code"] {
            #expect(!text.contains("netwatch_probe_\(name){"), "\(name)")
        }
        #expect(text.contains("netwatch_probe_certificate_expiry_timestamp_seconds{target=\"shop\""), "\(text)")
    }

    @Test(
        "of the leave that a portal has given what is left now is told, and never less than nothing",
        arguments: [(60 as UInt64, 7140.0), (7300, 0)])
    func leave(age: UInt64, left: Double) {
        var event = Event.online
        var portal = CaptivePortal(interface: "wlan0", api: "https://portal.test/api")
        portal.isCaptive = false
        portal.secondsRemaining = 7200
        portal.checkedMonotonic = MonotonicTime(nanoseconds: event.monotonic)
        event.captivePortal = portal
        event.monotonic += age * 1_000_000_000
        let families = StateMetrics.families(event, version: "1")
        let family = families.first { $0.name == "netwatch_captive_session_remaining_seconds" }
        #expect(family?.samples.map(\.value) == [left])
    }

    @Test("transitions are counted by what they led from and to, and why")
    func transitions() {
        var tally = EventTally()
        for event in [Event.snapshot(), .online, .carrierLost, .online, .carrierLost] { tally.record(event) }
        let text = Exposition.prometheus.text(tally.families(at: .carrierLost))
        let labels = #"subject="reachability",from="ethernet",to="none",reason="no-carrier""#
        #expect(text.contains("netwatch_transitions_total{\(labels)} 2\n"))
        #expect(text.contains("netwatch_events_total{type=\"snapshot\"} 1\n"))
        #expect(text.contains("netwatch_events_total{type=\"transition\"} 4\n"))
    }

    @Test("a change of connectivity is counted by the verdict's reason, and by the path's where there is none")
    func reasons() {
        var portal = Event.online
        portal.from = portal.to
        portal.to.connectivity = .portal
        portal.reason = .portal
        portal.path.reason = .noCarrier
        var lost = Event.carrierLost
        lost.reason = .noPath
        var tally = EventTally()
        for event in [portal, lost] { tally.record(event) }
        let text = Exposition.prometheus.text(tally.families(at: lost))
        for labels in [#"to="portal",reason="portal""#, #"to="none",reason="no-carrier""#] {
            #expect(
                text.contains("netwatch_transitions_total{subject=\"connectivity\",from=\"full\",\(labels)} 1\n"),
                "\(text)")
        }
    }

    @Test("the last change has its time by the clock as it goes now")
    func lastChange() {
        var tally = EventTally()
        tally.record(.online)
        var now = Event.online
        now.monotonic += 5_000_000_000
        // The clock was set forward by an hour since.
        now.timeNanoseconds += 3_605_000_000_000
        let family = tally.families(at: now).first { $0.name == "netwatch_path_last_change_timestamp_seconds" }
        #expect(family?.samples.map(\.value) == [Double(Event.testTime + 3_600_000_000_000) / 1e9])
    }

    @Test("what the program counts of itself is shown with its labels, from nothing on, and never falls")
    func ownCounts() {
        let counter = Counter("test_requests_total", [.init("code", "200")])
        #expect(text.contains("# TYPE test_requests_total counter\ntest_requests_total{code=\"200\"} 0\n"))
        counter.increment(by: 3)
        counter.increment(by: -2)
        Counter("test_requests_total", [.init("code", "200")]).increment()
        Gauge("test_lives").record(9)
        #expect(text.contains("test_requests_total{code=\"200\"} 4\n"))
        #expect(text.contains("# TYPE test_lives gauge\ntest_lives 9\n"))
    }

    @Test("a gauge that is destroyed is forgotten, and no other, and no counter is")
    func destruction() {
        let (gone, other) = ([MetricFamily.Label("exporter", "gone")], [MetricFamily.Label("exporter", "other")])
        for labels in [gone, other] {
            Gauge("test_up", labels).record(1)
            Counter("test_sent_total", labels).increment(by: 3)
        }
        Gauge("test_up", gone).destroy()
        #expect(!text.contains("test_up{exporter=\"gone\"}") && text.contains("test_up{exporter=\"other\"} 1\n"))
        #expect(text.contains("test_sent_total{exporter=\"gone\"} 3\n"))
    }

    private var text: String { Exposition.prometheus.text(OwnMetrics.families) }
}
