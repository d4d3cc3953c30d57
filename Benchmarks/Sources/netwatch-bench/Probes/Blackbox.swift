import EventLoop
import Foundation
import Netwatch
import RequestCore

/// Debian's prometheus-blackbox-exporter, and a driver that has it probe at a steady rate.
struct Blackbox {
    /// A module of it: how it checks certificates.
    enum Module: String {
        case plain
        /// Against a bundle that it is given.
        case bundle
    }

    /// What probing cost it.
    struct Cost {
        /// Processor time a probe, in milliseconds.
        var milliseconds: Double
        var mebibytes: Double
    }

    private static let port = 19_117
    let server: ProbedServer

    /// Has it probe for a while, and returns what a probe cost.
    func measure(_ module: Module, _ target: String, rate: Int, seconds: Int) async throws -> Cost {
        let configuration = try TextFile(
            """
            modules:
              plain: {prober: http, timeout: 5s}
              bundle: {prober: http, timeout: 5s, http: {tls_config: {ca_file: \(server.bundle)}}}
            """)
        let exporter = try Program(
            [
                "/usr/bin/prometheus-blackbox-exporter", "--log.level=error", "--config.file=\(configuration.path)",
                "--web.listen-address=127.0.0.1:\(Self.port)",
            ], name: "blackbox_exporter")
        defer { withExtendedLifetime(configuration) { exporter.end() } }
        try waitUntilHealthy()
        let driver = try Driver(rate: rate)
        let url = "http://127.0.0.1:\(Self.port)/probe?module=\(module.rawValue)&target=\(target)"
        // Its first probes read what the later ones find in memory.
        _ = try await driver.run(url, seconds: 1)
        let before = try Usage(of: exporter)
        let probes = try await driver.run(url, seconds: seconds)
        let after = try Usage(of: exporter)
        return Cost(
            milliseconds: (after.seconds - before.seconds) * 1000 / Double(probes),
            mebibytes: try PeakMemory(of: exporter).mebibytes)
    }

    private func waitUntilHealthy() throws {
        for _ in 0..<500 {
            if (try? command("curl", "-sf", "http://127.0.0.1:\(Self.port)/-/healthy")) != nil { return }
            usleep(20_000)
        }
        throw BenchmarkError.silent("blackbox_exporter", waitedFor: "/-/healthy")
    }
}

/// Asks one address at a steady rate, with a bounded number of questions under way.
private actor Driver {
    private let loop: EventLoop
    private let session: Session
    private let rate: Int
    private var underWay = 0
    private static let most = 128

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(rate: Int) throws {
        self.rate = rate
        loop = try EventLoop(name: "driver")
        var configuration = SessionConfiguration.default
        configuration.maximumConnectionsPerHost = Self.most
        session = try Session(configuration: configuration, loop: loop)
    }

    /// Returns how many probes succeeded; throws where one did not.
    func run(_ url: String, seconds: Int) async throws -> Int {
        guard let url = URL(string: url) else { throw BenchmarkError.unexpected(url) }
        let request = Request(url: url)
        let start = MonotonicTime.now
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<rate * seconds {
                while underWay >= Self.most { try await group.next() }
                try await loop.sleep(until: start.advanced(by: .seconds(1) * number / rate))
                underWay += 1
                group.addTask(executorPreference: loop) { try await self.ask(request) }
            }
            try await group.waitForAll()
            return rate * seconds
        }
    }

    private func ask(_ request: Request) async throws {
        defer { underWay -= 1 }
        let body = try await session.response(for: request).body
        guard String(decoding: body, as: UTF8.self).contains("\nprobe_success 1\n") else {
            throw BenchmarkError.unexpected("blackbox_exporter: a probe has failed")
        }
    }
}

/// A file that is there as long as it is needed.
final class TextFile {
    let path = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)").path

    init(_ text: String) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// The most memory that a process has held.
struct PeakMemory {
    var mebibytes: Double

    init(of program: Program) throws {
        let status = try String(contentsOfFile: "/proc/\(program.processID)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
        else {
            throw BenchmarkError.unexpected("/proc/\(program.processID)/status has another shape")
        }
        mebibytes = kibibytes / 1024
    }
}
