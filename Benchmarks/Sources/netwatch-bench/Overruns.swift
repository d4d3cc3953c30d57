import CKernelFloor
import EventLoop
import Foundation
import Netwatch
import Synchronization

/// What becomes of a monitor whose receive buffer is too small, so that the kernel drops news.
struct Overruns {
    /// The least that the kernel gives: room for some five messages.
    static let bufferSize = 4096

    var changes = 1_000_000
    var drills = 10_000

    /// Route changes as fast as the kernel takes them, each of which could matter, with a move of the default route in
    /// the middle.
    func storm() async throws -> [Figure] {
        let uplinks = try Uplinks()
        let watch = try await SmallWatch()
        let theirs = try Program(["ip", "monitor", "route"], keepsLines: false)
        usleep(200_000)
        let start = (ours: await watch.processorTime(), theirs: try Usage(of: theirs).seconds)
        let memory = try Self.residentMebibytes()
        let storm = Thread.running { try replaceRoutes() }
        usleep(.random(in: 300_000...500_000))
        let sent = try uplinks.moveDefault(to: 1)
        let told = try watch.time(of: "w1", within: .seconds(60)) - sent
        try storm.wait()
        usleep(500_000)
        theirs.quieten(for: .seconds(1))
        let statistics = watch.monitor.statistics
        let name = "storm of \(changes) route changes, buffer of \(Self.bufferSize) bytes"
        let figures = [
            Figure(name, "overruns", Double(statistics.overruns), ""),
            Figure(name, "wrong final states", watch.monitor.currentPath.ipv4.interface == "w1" ? 0 : 1, "")
                .aiming(atMost: 0),
            Figure(name, "the move in it is told after", Double(told) / 1e6, "ms").aiming(atMost: 50),
            Figure(name, "processor time", await watch.processorTime() - start.ours, "s")
                .beside("ip monitor", try Usage(of: theirs).seconds - start.theirs),
            Figure(name, "growth of memory", try Self.residentMebibytes() - memory, "MiB").aiming(atMost: 4),
        ]
        await watch.monitor.stop()
        return figures
    }

    /// Overruns made on purpose, with the default route moved before, in and after the time in which news is dropped.
    func drill() async throws -> [Figure] {
        let uplinks = try Uplinks()
        let watch = try await SmallWatch()
        var lost = 0
        var repairs: [UInt64] = []
        for round in 1...drills {
            let target = round % 2
            let blocked = watch.block()
            for flip in 0..<24 { _ = try uplinks.moveDefault(to: (round + flip) % 2) }
            var sent = try uplinks.moveDefault(to: round % 3 == 0 ? target : 1 - target)
            blocked.open()
            // Between the overrun and the drain, or in the dump; where it was before, the last move stands.
            if round % 3 != 0 {
                usleep(.random(in: 0...(round % 3 == 1 ? 100 : 1500)))
                sent = try uplinks.moveDefault(to: target)
            }
            do {
                let told = try watch.time(of: "w\(target)", within: .seconds(2))
                // The last move may have changed nothing any more.
                repairs.append(told > sent ? told - sent : 0)
                usleep(1000)
                if watch.monitor.currentPath.ipv4.interface != "w\(target)" { lost += 1 }
            } catch {
                lost += 1
            }
        }
        let statistics = watch.monitor.statistics
        await watch.monitor.stop()
        let name = "\(drills) drills of loss"
        return [
            Figure(name, "overruns", Double(statistics.overruns), ""),
            Figure(name, "resyncs", Double(statistics.resyncs[.overrun] ?? 0), ""),
            Figure(name, "lost final states", Double(lost), "").aiming(atMost: 0),
            Figure(name, "repair p50", Samples(repairs).median / 1e6, "ms"),
            Figure(name, "repair p99", Samples(repairs).percentile(99) / 1e6, "ms").aiming(atMost: 20),
        ]
    }

    /// Routes that cover a watched address, in a table that is never looked into: none is kept back, and none matters.
    private func replaceRoutes() throws {
        // By another process: this one's memory is measured.
        let script = "{ print \"route replace 17.0.0.0/8 table 77 via 10.1.0.\" 2 + NR % 2 }"
        try command("sh", "-c", "seq \(changes) | awk '\(script)' | ip -batch -")
    }

    private static func residentMebibytes() throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
        let words = status.first { $0.hasPrefix("VmRSS:") }?.split(whereSeparator: \.isWhitespace)
        guard let words, words.count > 1, let kibibytes = Double(words[1]) else {
            throw BenchmarkError.unexpected("/proc/self/status has another shape")
        }
        return kibibytes / 1024
    }
}

/// A monitor with a small buffer on a loop of its own, and when it last told of which interface.
private final class SmallWatch: Sendable {
    let loop: EventLoop
    let monitor: PathMonitor
    private let latest = Mutex<(time: UInt64, interface: String?)>((0, nil))

    init() async throws {
        var configuration = PathMonitor.Configuration()
        configuration.receiveBufferSize = Overruns.bufferSize
        loop = try EventLoop()
        monitor = PathMonitor(configuration: configuration, loop: loop)
        await monitor.onUpdate { [weak self] update in
            let time = kernel_floor_now()
            self?.latest.withLock { $0 = (time, update.path.ipv4.interface) }
        }
        _ = try await monitor.start()
    }

    /// When it told of the interface that it now says is in use.
    func time(of interface: String, within limit: Duration) throws -> UInt64 {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            let told = latest.withLock { $0 }
            if told.interface == interface, monitor.currentPath.ipv4.interface == interface { return told.time }
            usleep(50)
        }
        throw BenchmarkError.silent("the monitor", waitedFor: interface)
    }

    /// The seconds that its thread has worked.
    func processorTime() async -> Double {
        await withCheckedContinuation { continuation in
            loop.schedule(after: .zero) {
                var time = timespec()
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                continuation.resume(returning: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
            }
        }
    }

    /// Keeps its thread from reading until the gate is opened. Returns once it does not read.
    func block() -> Gate {
        let (gate, closed) = (Gate(), Gate())
        loop.schedule(after: .zero) {
            closed.open()
            gate.wait()
        }
        closed.wait()
        return gate
    }
}

/// What a thread waits at until another opens it.
private final class Gate: Sendable {
    private let ends: (reader: Int32, writer: Int32)

    init() {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0, "no pipe: errno \(errno)")
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.reader)
        close(ends.writer)
    }

    func open() {
        _ = [UInt8(0)].withUnsafeBytes { write(ends.writer, $0.baseAddress, 1) }
    }

    func wait() {
        var byte: UInt8 = 0
        _ = read(ends.reader, &byte, 1)
    }
}
