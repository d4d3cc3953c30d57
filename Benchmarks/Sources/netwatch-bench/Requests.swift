import CCurlFloor
import Foundation
import Netwatch

/// Requests a second over kept connections, beside a bare libcurl loop in C and wrk, and what 100,000 leave behind.
struct Requests {
    var count = 100_000
    var parallel = 16

    func measure() async throws -> [Figure] {
        let server = try Nginx()
        let url = "http://127.0.0.1:\(server.port)/"
        let floor = try time { try floorRun(url) }
        let loop = try EventLoop()
        var configuration = SessionConfiguration.default
        configuration.maximumConnectionsPerHost = parallel
        let client = Client(session: try Session(configuration: configuration, loop: loop), loop: loop)
        try await client.run(url, count: count / 10, parallel: parallel)
        let before = try Resources.now()
        let start = MonotonicTime.now
        try await client.run(url, count: count, parallel: parallel)
        let ours = start.duration(to: .now) / .seconds(1)
        let after = try Resources.now()
        let wrk = try wrkRun(url)
        withExtendedLifetime(server) {}
        return [
            Figure("requests", "a second, one thread", Double(count) / ours, "/s")
                .beside("libcurl in C", Double(count) / floor).aiming(ratioAtLeast: 0.7),
            Figure("requests", "a second, one thread", Double(count) / ours, "/s").beside("wrk", wrk),
            Figure("requests", "descriptors after \(count)", Double(after.descriptors - before.descriptors), "more")
                .aiming(atMost: 0),
            Figure("requests", "threads after \(count)", Double(after.threads - before.threads), "more")
                .aiming(atMost: 0),
            Figure("requests", "memory after \(count)", after.mebibytes - before.mebibytes, "MiB more")
                .aiming(atMost: 1),
        ]
    }

    private func time(_ body: () throws -> Void) rethrows -> Double {
        let start = MonotonicTime.now
        try body()
        return start.duration(to: .now) / .seconds(1)
    }

    private func floorRun(_ url: String) throws {
        let good = curl_floor_run(url, count, CInt(parallel))
        guard good == count else { throw BenchmarkError.unexpected("libcurl in C had \(good) good answers") }
    }

    private func wrkRun(_ url: String) throws -> Double {
        let text = try command("wrk", "-t1", "-c\(parallel)", "-d3", url)
        let line = text.split(separator: "\n").first { $0.hasPrefix("Requests/sec:") }
        guard let rate = line?.split(separator: " ").last.flatMap({ Double($0) }) else {
            throw BenchmarkError.unexpected("wrk printed no rate: \(text)")
        }
        return rate
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
