import CCurlFloor
import Foundation

/// Thousands of targets on loopback: what a probe costs beside blackbox_exporter, how late probes start, how much memory
/// they take, and how soon a link change is told meanwhile.
struct ManyProbes {
    var program: String
    var targets = 10_000
    /// From one probe of a target to the next, in seconds.
    var interval = 10
    /// How long the steady probing is measured.
    var seconds = 120

    private static let port = 19_116
    private static let farAddress = "10.99.0.1"

    func measure() async throws -> [Figure] {
        let server = try ProbedServer()
        let uplinks = try Uplinks()
        let blackbox = Blackbox(server: server)
        let idle = try idleLatencies(uplinks)
        let plain = "http://127.0.0.1:\(server.port)/"
        let secure = "https://127.0.0.1:\(server.securePort)/"
        let rate = targets / interval
        let share = max(seconds / 3, 5)
        var figures = try run("HTTP", plain, server, uplinks, idle, seconds)
        let other = try await blackbox.measure(.plain, plain, rate: rate, seconds: share)
        figures += try floor(figures[0], plain, server, share, "blackbox", other)
        figures[0] = figures[0].beside("blackbox", other.milliseconds).aiming(ratioAtMost: 0.1)
        figures[1] = figures[1].beside("blackbox", other.mebibytes)
        var second = try run("HTTPS", secure, server, uplinks, idle, share)
        // At the full rate it would need more processors than there are.
        let bundle = try await blackbox.measure(.bundle, secure, rate: max(rate / 20, 1), seconds: share)
        second += try floor(second[0], secure, server, share, "blackbox, same bundle", bundle)
        second[0] = second[0].beside("blackbox, same bundle", bundle.milliseconds).aiming(ratioAtMost: 0.1)
        second[1] = second[1].beside("blackbox", bundle.mebibytes)
        return figures + second
    }

    /// The only uplink comes and goes while thousands of targets behind it are probed.
    func measureUplink() throws -> [Figure] {
        let uplinks = try Uplinks()
        let far = try FarServer(behind: uplinks, at: Self.farAddress, hasSpare: false)
        defer { withExtendedLifetime(far) {} }
        // A closed connection keeps its port for a minute, and a thousand a second are more than there are ports for one server.
        // On loopback the kernel uses them again by itself.
        try command("sh", "-c", "echo 1 > /proc/sys/net/ipv4/tcp_tw_reuse")
        let idle = try idle()
        let flaps = UplinkFlaps(uplinks: uplinks, rounds: rounds)
        let calm = try flaps.latencies(of: idle)
        idle.end()
        let file = try TargetFile(targets, below: "http://\(Self.farAddress)/", interval: interval)
        let ours = try Program([program, "--json", "--config", file.path], name: "netwatch")
        _ = try ours.line(within: .seconds(60), "the first verdict") { $0.text.contains("\"connectivity\":\"full\"") }
        usleep(UInt32(interval) * 1_000_000)
        let busy = try flaps.latencies(of: ours)
        let benchmark = "\(targets) targets behind the only uplink"
        return [("loss", busy.loss, calm.loss), ("return", busy.comeback, calm.comeback)].flatMap { what, busy, calm in
            [
                Figure(benchmark, "its \(what) to line, p50", busy.median / 1000, "µs")
                    .beside("idle", calm.median / 1000),
                Figure(benchmark, "its \(what) to line, p99", busy.percentile(99) / 1000, "µs")
                    .beside("idle", calm.percentile(99) / 1000).aiming(ratioAtMost: 2),
            ]
        }
    }

    /// What probes at the same rate cost a bare loop of libcurl, beside what they cost here, and beside the other program:
    /// no program that probes by libcurl gets below that.
    private func floor(
        _ ours: Figure, _ url: String, _ server: ProbedServer, _ seconds: Int, _ reference: String,
        _ other: Blackbox.Cost
    ) throws -> [Figure] {
        let rate = targets / interval
        let cost = curl_floor_probe(url, server.bundle, rate * min(seconds, 10), 1_000_000 / rate)
        guard cost > 0 else { throw BenchmarkError.unexpected("libcurl in C: a probe has failed") }
        return [
            ours.beside("libcurl in C", cost),
            Figure(ours.benchmark, "the same in C with libcurl", cost, "ms").beside(reference, other.milliseconds),
        ]
    }

    private func idleLatencies(_ uplinks: Uplinks) throws -> Samples {
        try RouteMoves(uplinks: uplinks, rounds: rounds, pause: 50_000...100_000).latencies(of: try idle())
    }

    private func idle() throws -> Program {
        let idle = try Program([program, "--json", "--no-probe"], name: "netwatch")
        _ = try idle.line("the snapshot") { _ in true }
        idle.quieten()
        return idle
    }

    private var rounds: Int { max(100, seconds * 3) }

    private func run(
        _ name: String, _ url: String, _ server: ProbedServer, _ uplinks: Uplinks, _ idle: Samples, _ seconds: Int
    ) throws -> [Figure] {
        let benchmark = "\(targets) \(name) targets at \(interval) s"
        let theirs = try Program(["ip", "monitor", "route"])
        let file = try TargetFile(targets, below: url, interval: interval)
        let ours = try Program(
            [
                "SSL_CERT_FILE=\(server.bundle)", program, "--json", "--listen=127.0.0.1:\(Self.port)",
                "--config", file.path,
            ], name: "netwatch")
        _ = try ours.line(within: .seconds(60), "the first verdict") { $0.text.contains("\"connectivity\":\"full\"") }
        // The verdict does not wait for all: until each was asked once, all that the processors can do is done.
        usleep(UInt32(interval) * 1_000_000)
        let start = (usage: try Usage(of: ours), metrics: try ProbeMetrics(port: Self.port))
        usleep(UInt32(seconds) * 1_000_000)
        let end = (usage: try Usage(of: ours), metrics: try ProbeMetrics(port: Self.port))
        let count = end.metrics.succeeded - start.metrics.succeeded
        guard end.metrics.failed == 0, count > 0 else {
            throw BenchmarkError.unexpected("\(count) probes were answered and \(end.metrics.failed) failed")
        }
        let peak = try PeakMemory(of: ours).mebibytes
        let (busy, theirBusy) = try RouteMoves(uplinks: uplinks, rounds: rounds, pause: 100_000...200_000)
            .latencies(of: ours, beside: theirs)
        let processor = end.usage.seconds - start.usage.seconds
        return [
            Figure(benchmark, "processor time a probe", processor * 1000 / count, "ms"),
            Figure(benchmark, "peak memory", peak, "MiB"),
            Figure(benchmark, "probes a second", count / Double(seconds), "/s"),
            Figure(benchmark, "processors busy", processor / Double(seconds), ""),
            Figure(benchmark, "late by, p50", end.metrics.delay(percentile: 50), "ms"),
            Figure(benchmark, "late by, p99", end.metrics.delay(percentile: 99), "ms").aiming(atMost: 20),
            Figure(benchmark, "late by, at most", end.metrics.maximumDelay, "ms"),
            Figure(benchmark, "change to line meanwhile, p50", busy.median / 1000, "µs").beside(
                "idle", idle.median / 1000),
            Figure(benchmark, "change to line meanwhile, p99", busy.percentile(99) / 1000, "µs")
                .beside("idle", idle.percentile(99) / 1000).aiming(ratioAtMost: 2),
            // What no program gets below while all processors are busy with handshakes, its own and the server's.
            Figure(benchmark, "change to line meanwhile, p99", busy.percentile(99) / 1000, "µs")
                .beside("ip monitor", theirBusy.percentile(99) / 1000),
        ]
    }
}
