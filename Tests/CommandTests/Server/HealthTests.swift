#if Service
import Connectivity
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
#endif
