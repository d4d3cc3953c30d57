import CCurlFloor
import EventLoop
import Foundation
import Netwatch
import RequestCore

/// Requests a second over kept connections, beside a bare libcurl loop in C, wrk and curl, and what 100,000 leave behind.
///
/// All ask the same server for the same body over as many connections. The two whose ratio counts take turns in rounds,
/// and the best round of each counts: what else the host does falls on both.
struct Requests {
    var rounds = 5
    var count = 20_000
    var parallel = 16

    func measure() async throws -> [Figure] {
        let server = try Nginx()
        let url = "http://127.0.0.1:\(server.port)/"
        let loop = try EventLoop()
        var configuration = SessionConfiguration.default
        configuration.maximumConnectionsPerHost = parallel
        // The same request on the wire: the others ask for no compression.
        configuration.acceptsCompression = false
        let client = Client(session: try Session(configuration: configuration, loop: loop), loop: loop)
        try await client.run(url, count: count, parallel: parallel)
        // Both once before what is held is counted: the other's memory is this process's, too.
        try floorRun(url)
        let before = try Resources.now()
        var (ours, floor) = (Pace(), Pace())
        for _ in 0..<rounds {
            floor.fold(try await Pace.of(count) { try floorRun(url) })
            ours.fold(try await Pace.of(count) { try await client.run(url, count: count, parallel: parallel) })
        }
        let after = try Resources.now()
        let (wrk, curl) = (try wrkRun(url), try await curlRun(url))
        withExtendedLifetime(server) {}
        return [
            Figure("requests", "a second, one thread", ours.rate, "/s").beside("libcurl in C", floor.rate)
                .aiming(ratioAtLeast: 0.7),
            Figure("requests", "processor time of each", ours.microseconds, "µs")
                .beside("libcurl in C", floor.microseconds),
            Figure("requests", "a second, one thread", ours.rate, "/s").beside("curl --parallel", curl),
            Figure("requests", "a second, one thread", ours.rate, "/s").beside("wrk", wrk),
        ] + leftovers(before, after)
    }

    /// Requests a second over one kept connection, one after the other, beside wrk and a bare libcurl loop with one connection.
    func measureConnection() async throws -> [Figure] {
        let server = try Nginx()
        let url = "http://127.0.0.1:\(server.port)/"
        let loop = try EventLoop()
        var configuration = SessionConfiguration.default
        configuration.acceptsCompression = false
        let client = Client(session: try Session(configuration: configuration, loop: loop), loop: loop)
        try await client.run(url, count: count / 10, parallel: 1)
        var (ours, floor, wrk) = (Pace(), Pace(), 0.0)
        for _ in 0..<rounds {
            wrk = max(wrk, try wrkRun(url))
            floor.fold(try await Pace.of(count) { try floorRun(url) })
            ours.fold(try await Pace.of(count) { try await client.run(url, count: count, parallel: 1) })
        }
        withExtendedLifetime(server) {}
        return [
            Figure("connection", "a second, one after the other", ours.rate, "/s").beside("wrk -t1 -c1", wrk)
                .aiming(ratioAtLeast: 0.7),
            Figure("connection", "a second, one after the other", ours.rate, "/s").beside("libcurl in C", floor.rate),
            Figure("connection", "libcurl in C, a second", floor.rate, "/s").beside("wrk -t1 -c1", wrk),
        ]
    }

    private func leftovers(_ before: Resources, _ after: Resources) -> [Figure] {
        let all = rounds * count
        return [
            Figure("requests", "descriptors after \(all)", Double(after.descriptors - before.descriptors), "more")
                .aiming(atMost: 0),
            Figure("requests", "threads after \(all)", Double(after.threads - before.threads), "more")
                .aiming(atMost: 0),
            Figure("requests", "memory after \(all)", after.mebibytes - before.mebibytes, "MiB more")
                .aiming(atMost: 1),
        ]
    }

    private func floorRun(_ url: String) throws {
        let good = curl_floor_run(url, count, CInt(parallel))
        guard good == count else { throw BenchmarkError.unexpected("libcurl in C had \(good) good answers") }
    }

    private func wrkRun(_ url: String) throws -> Double {
        let text = try command("wrk", "-t1", "-c\(parallel)", "-d2", url)
        let line = text.split(separator: "\n").first { $0.hasPrefix("Requests/sec:") }
        guard let rate = line?.split(separator: " ").last.flatMap({ Double($0) }) else {
            throw BenchmarkError.unexpected("wrk printed no rate: \(text)")
        }
        return rate
    }

    private func curlRun(_ url: String) async throws -> Double {
        let pace = try await Pace.of(count / 4) {
            try command(
                "curl", "--silent", "--parallel", "--parallel-max", "\(parallel)", "--output", "/dev/null",
                "\(url)?[1-\(count / 4)]")
        }
        return pace.rate
    }
}

/// How quickly requests went, and what they cost this process.
private struct Pace {
    var rate = 0.0
    var microseconds = Double.infinity

    mutating func fold(_ other: Pace) {
        rate = max(rate, other.rate)
        microseconds = min(microseconds, other.microseconds)
    }

    static func of(_ count: Int, _ body: () async throws -> Void) async rethrows -> Pace {
        let (start, processor) = (MonotonicTime.now, processorTime)
        try await body()
        let used = processorTime - processor
        return Pace(
            rate: Double(count) / (start.duration(to: .now) / .seconds(1)),
            microseconds: used / Double(count))
    }

    /// What all threads of this process have used, in microseconds.
    private static var processorTime: Double {
        var usage = rusage()
        getrusage(CInt(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }
}

/// Asks on the session's own loop, as what is built on it does.
private actor Client {
    let session: Session
    let loop: EventLoop

    init(session: Session, loop: EventLoop) {
        self.session = session
        self.loop = loop
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func run(_ url: String, count: Int, parallel: Int) async throws {
        guard let url = URL(string: url) else { throw BenchmarkError.unexpected(url) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<parallel {
                let share = count / parallel + (index < count % parallel ? 1 : 0)
                // As its executor the loop is also where a continuation is resumed; else that is the concurrent pool.
                group.addTask(executorPreference: loop) { try await self.ask(url, share) }
            }
            try await group.waitForAll()
        }
    }

    private func ask(_ url: URL, _ count: Int) async throws {
        let request = Request(url: url)
        for _ in 0..<count {
            let status = try await session.response(for: request).statusCode
            guard status == 200 else { throw BenchmarkError.unexpected("status \(status)") }
        }
    }
}

/// What this process holds.
private struct Resources {
    var descriptors: Int
    var threads: Int
    var mebibytes: Double

    static func now() throws -> Resources {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        func field(_ name: String) -> Double {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            return line?.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }.first ?? 0
        }
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        return Resources(descriptors: descriptors, threads: Int(field("Threads")), mebibytes: field("VmRSS") / 1024)
    }
}
