import Connectivity
import EventLoop
import NetwatchService
import Reachability
import Testing

@Suite("Health")
struct HealthTests {
    @Test(
        "each verdict has its status and code",
        arguments: [
            (ReachabilityStatus.ethernet, ConnectivityStatus.full, HealthStatus.pass, 200),
            (.ethernet, .limited, .warn, 200), (.ethernet, .unknown, .pass, 200), (.unknown, .unknown, .warn, 200),
            (.wifi, .portal, .fail, 503), (.ethernet, .local, .fail, 503), (.none, .none, .fail, 503),
            (.none, .unknown, .fail, 503),
        ])
    func statuses(
        reachability: ReachabilityStatus, connectivity: ConnectivityStatus, status: HealthStatus, code: Int
    ) {
        let document = HealthDocument(.snapshot(reachability, connectivity), version: "1", host: "h")
        #expect(document.status == status)
        #expect(document.status.statusCode == code)
        #expect((document.output == nil) == (status == .pass))
    }

    @Test("a family that is missing warns and does not fail the whole")
    func oneFamily() {
        let document = HealthDocument(.online, version: "1", host: "h")
        #expect(document.status == .pass)
        #expect(document.checks["ipv4:path"]?.first?.status == .pass)
        #expect(document.checks["ipv6:path"]?.first?.status == .warn)
        #expect(document.checks["ipv6:path"]?.first?.output == "no route leads out")
    }

    /// As ``Event/online``, where a second target is down.
    private static var mixed: Event {
        var event = Event.online
        event.targets.append(TargetHealth(target: "shop", status: .down))
        event.targets[1].reason = .connectTimeout
        event.targets[1].evidence = "others answer"
        var failure = ProbeResult(target: "shop", outcome: .failure, duration: 1, time: MonotonicTime(nanoseconds: 42))
        failure.failure = "no answer"
        event.probes.append(failure)
        return event
    }

    @Test("targets that are well are counted, and told only to those who ask for all of them")
    func verbosity() {
        let short = HealthDocument(Self.mixed, version: "1", host: "h")
        #expect(short.checks["targets:health"]?.map(\.observedValue) == ["1 of 2 up"])
        #expect(short.checks["targets:probe"]?.map(\.componentId) == ["shop"])
        let long = HealthDocument(Self.mixed, version: "1", host: "h", isVerbose: true)
        #expect(long.checks["targets:probe"]?.map(\.componentId) == [ProbeResult.success.target, "shop"])
    }

    @Test("the time of a probe's check is when it ended, and not when it was asked for")
    func times() {
        let checks = HealthDocument(Self.mixed, version: "1", host: "h", isVerbose: true).checks["targets:probe"]
        // 35 ns before the event, which stands at the nanosecond 456789.
        #expect(checks?.first?.time == TimeText.rfc3339(Event.testTime - 35))
        var late = Self.mixed
        late.monotonic += 60_000_000_000
        let old = HealthDocument(late, version: "1", host: "h", isVerbose: true).checks["targets:probe"]
        #expect(old?.last?.time == TimeText.rfc3339(Event.testTime - 60_000_000_000))
    }

    @Test("one target, or one interface, has its own status")
    func subjects() {
        func document(_ subject: HealthSubject) -> HealthDocument {
            HealthDocument(Self.mixed, about: subject, version: "1", host: "h")
        }
        let shop = document(.target("shop"))
        #expect(shop.status == .fail)
        #expect(shop.output == "shop is down (connect-timeout, others answer)")
        #expect(shop.checks["targets:probe"]?.map(\.output) == ["no answer"])
        #expect(document(.target(ProbeResult.success.target)).status == .pass)
        #expect(document(.interface("eth0")).status == .pass)
        #expect(document(.interface("eth0")).checks["ipv6:path"]?.first?.status == .warn)
        #expect(HealthSubject.target("shop").absence(in: Self.mixed) == nil)
        #expect(
            HealthSubject.interface("wlan0").absence(in: Self.mixed)
                == "there is no such interface; there are: eth0")
    }

    private static let items: [HealthReport.Item] = [.init("a"), .init("b", failure: "broken")]

    @Test("a good report is ok, in detail a line for each check")
    func good() {
        let report = HealthReport("livez", items: [.init("a")])
        #expect(report.statusCode == 200)
        #expect(report.text(isVerbose: false) == "ok")
        #expect(report.text(isVerbose: true) == "[+]a ok\nlivez check passed\n")
    }

    @Test("a bad report says what failed without being asked")
    func bad() {
        let report = HealthReport("readyz", items: Self.items)
        #expect(report.statusCode == 500)
        #expect(HealthReport("readyz", items: Self.items, failureCode: 503).statusCode == 503)
        #expect(report.text(isVerbose: false) == "[+]a ok\n[-]b failed: broken\nreadyz check failed\n")
    }

    @Test("a check can be excluded, and an unknown one is warned of")
    func exclusion() {
        let report = HealthReport("readyz", items: Self.items, excluding: ["b", "c"])
        #expect(report.statusCode == 200)
        #expect(report.text(isVerbose: false).hasPrefix("ok\nwarn: some health checks cannot be excluded"))
        #expect(report.text(isVerbose: false).contains("\"c\""))
    }
}
