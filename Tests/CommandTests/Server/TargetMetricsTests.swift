import Connectivity
import EventLoop
import NetworkAddress
import Reachability
import TestSupport
import Testing

@testable import NetwatchService

@Suite("Metrics of uplinks and targets")
struct TargetMetricsTests {
    private static func text(_ event: Event, _ targets: [Target] = []) -> String {
        Exposition.prometheus.text(StateMetrics.families(event, targets: targets, version: "1"))
    }

    @Test("uplinks are told by device, family and state, and the spare is one of them")
    func uplinks() {
        var event = Event.online
        event.uplinks = [
            UplinkVerdict(interface: "eth0", family: .ipv4, isActive: true, connectivity: .limited),
            UplinkVerdict(interface: "wwan0", family: .ipv4, isActive: false, connectivity: .full),
        ]
        event.uplinks[0].reason = .timeout
        event.uplinks[0].suspectMonotonic = MonotonicTime(nanoseconds: 42)
        event.uplinks[0].checkedMonotonic = MonotonicTime(nanoseconds: 42)
        event.spare = "wwan0"
        let text = Self.text(event)
        let eth0 = #"device="eth0",family="ipv4""#
        for line in [
            "netwatch_uplink_state{\(eth0),state=\"limited\"} 1", "netwatch_uplink_state{\(eth0),state=\"full\"} 0",
            "netwatch_uplink_active{\(eth0)} 1", "netwatch_uplink_suspect{\(eth0)} 1",
            "netwatch_uplink_problem_info{\(eth0),reason=\"timeout\"} 1",
            "netwatch_uplink_spare{device=\"eth0\"} 0", "netwatch_uplink_spare{device=\"wwan0\"} 1",
            "netwatch_uplink_active{device=\"wwan0\",family=\"ipv4\"} 0",
        ] {
            #expect(text.contains("\n\(line)\n"), "\(line)")
        }
        #expect(text.contains("netwatch_uplink_last_check_timestamp_seconds{\(eth0)} "))
        // The label that node_exporter has for it.
        #expect(!text.contains("interface="))
    }

    @Test("a target that is down has reason and blame, and one that is up has none")
    func problems() {
        var event = Event.online
        event.targets = [TargetHealth(target: "shop", status: .down), TargetHealth(target: "wiki", status: .up)]
        event.targets[0].reason = .connectionRefused
        event.targets[0].blame = .target
        event.targets[0].sinceMonotonic = MonotonicTime(nanoseconds: 42)
        let text = Self.text(event)
        let problem = #"target="shop",reason="connection-refused",blame="target""#
        #expect(text.contains("\nnetwatch_target_problem_info{\(problem)} 1\n"))
        #expect(text.contains("\nnetwatch_target_last_change_timestamp_seconds{target=\"shop\"} 1795250463."))
        #expect(!text.contains("netwatch_target_problem_info{target=\"wiki\""))
    }

    @Test("what a target answered by an uplink before that got nowhere is no sample, though it is up by another")
    func deadUplink() {
        var event = Event.online
        event.targets = ["shop", "near", "wiki"].map { TargetHealth(target: $0, status: .up) }
        event.uplinks = ["eth0", "wwan0"].map {
            UplinkVerdict(interface: $0, family: .ipv4, isActive: $0 == "eth0", connectivity: .full)
        }
        // Before and after 10 ns, at which the verdicts came about.
        let probes: [(target: String, device: String, time: UInt64)] = [
            ("shop", "eth0", 7), ("near", "eth0", 12), ("shop", "wwan0", 7),
        ]
        event.probes = probes.map { target, device, time in
            var probe = ProbeResult(
                target: target, outcome: .success, duration: 1, time: MonotonicTime(nanoseconds: time))
            (probe.interface, probe.family, probe.statusCode) = (device, .ipv4, 204)
            return probe
        }
        var failure = ProbeResult(target: "wiki", outcome: .failure, duration: 1, time: MonotonicTime(nanoseconds: 7))
        (failure.interface, failure.family) = ("eth0", .ipv4)
        event.probes.append(failure)
        for (status, isTold) in [(.full, true), (.limited, true), (.local, false), (.portal, false), (.unknown, false)]
            as [(ConnectivityStatus, Bool)]
        {
            event.uplinks[0].connectivity = status
            event.uplinks[0].sinceMonotonic = MonotonicTime(nanoseconds: 10)
            event.uplinks[1].sinceMonotonic = MonotonicTime(nanoseconds: 10)
            let text = Self.text(event)
            let told = #"netwatch_probe_success{target="shop",device="eth0",family="ipv4"} 1"#
            #expect(text.contains("\n\(told)\n") == isTold, "\(status)")
            let code = #"netwatch_probe_http_status_code{target="shop",device="eth0",family="ipv4"} 204"#
            #expect(text.contains("\n\(code)\n") == isTold, "\(status)")
            for other in [
                #"near",device="eth0",family="ipv4"} 1"#, #"wiki",device="eth0",family="ipv4"} 0"#,
                #"shop",device="wwan0",family="ipv4"} 1"#,
            ] {
                #expect(text.contains("\nnetwatch_probe_success{target=\"\(other)\n"), "\(status): \(other)")
            }
        }
    }

    @Test("configured labels are told under names that Prometheus takes, none of them twice")
    func labels() throws {
        var target = try Target("http://192.0.2.9/", name: "shop")
        target.labels = [
            "team": "net", "cost centre": "7", "cost_centre": "8", "1st": "a", "__name__": "x", "role": "y",
        ]
        let text = Self.text(.online, [target])
        let line = text.split(separator: "\n").first { $0.hasPrefix("netwatch_target_info") }
        #expect(
            line == """
                netwatch_target_info{target="shop",role="target",_1st="a",label___name__="x",cost_centre="7",\
                label_role="y",team="net"} 1
                """)
    }

    @Test("a target has twelve series at most, and thirty with its durations")
    func number() throws {
        var target = try Target("https://192.0.2.9/", name: "shop")
        target.labels = ["team": "net"]
        var event = Event.online
        event.targets = [TargetHealth(target: "shop", status: .down)]
        event.targets[0].reason = .certificateExpired
        event.targets[0].blame = .target
        event.targets[0].sinceMonotonic = MonotonicTime(nanoseconds: 1)
        event.targets[0].checkedMonotonic = MonotonicTime(nanoseconds: 1)
        event.probes = [.success]
        event.probes[0].target = "shop"
        let histograms = TargetHistograms()
        histograms.record(event.probes[0])
        let own = Self.text(event, [target]).split(separator: "\n").filter { $0.contains("target=\"shop\"") }
        // The certificate is that of a real handshake only.
        #expect((8...11).contains(own.count), "\(own)")
        let durations = Exposition.prometheus.text([histograms.family(of: ["shop"])])
        #expect(durations.contains("netwatch_target_probe_duration_seconds_bucket{target=\"shop\",le=\"0.025\"} 1\n"))
        #expect(own.count + durations.split(separator: "\n").filter { !$0.hasPrefix("#") }.count <= 30)
    }

    @Test("durations of targets that are gone are forgotten, and those of probes that were not sent are none")
    func forgotten() {
        let histograms = TargetHistograms()
        var result = ProbeResult.success
        for name in ["a", "b"] {
            result.target = name
            histograms.record(result)
        }
        result.outcome = .skipped
        histograms.record(result)
        #expect(histograms.family(of: ["b"]).samples.last?.value == 1)
        #expect(histograms.family(of: ["a", "b"]).samples.allSatisfy { $0.labels.first?.value == "b" })
    }

    @Test("the process is told by the names that Prometheus' own libraries have")
    func process() throws {
        let families = ProcessMetrics.families
        let values = Dictionary(
            uniqueKeysWithValues: families.compactMap { family in family.samples.first.map { (family.name, $0.value) } }
        )
        #expect(values.count == 7)
        #expect(try #require(values["process_open_fds"]) >= 3)
        #expect(try #require(values["process_resident_memory_bytes"]) > 1_000_000)
        let start = try #require(values["process_start_time_seconds"])
        #expect(start > 1_700_000_000 && start <= Double(TimeText.seconds) + 1)
    }
}
