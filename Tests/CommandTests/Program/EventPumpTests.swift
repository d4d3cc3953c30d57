import Connectivity
import EventLoop
import Glibc
import NetworkAddress
import Reachability
import SystemPackage
import TestSupport
import Testing

@testable import Netwatch
@testable import NetwatchService

@Suite("What carries events to their sink", .timeLimit(.minutes(1)))
struct EventPumpTests {
    @Test("an end while a slow reader has half of a line has nothing written behind that")
    func endWithinLine() async throws {
        let loop = try EventLoop()
        let (reader, writer) = try FileDescriptor.pipe()
        // F_SETPIPE_SZ: of a line that is longer than this page only the odd bytes fit behind what is there.
        try #require(fcntl(writer.rawValue, 1031, 4096 as CInt) == 4096)
        try writer.writeAll([UInt8(ascii: "\n")])
        let output = try LineOutput(writer, name: "pipe", loop: loop)
        try writer.close()
        let monitor = ConnectivityMonitor(configuration: .withoutProbes)
        _ = monitor.hub.start(.withoutProbes, seed: 1, loop: loop)
        let pump = EventPump(board: StateBoard(), sink: LineSink(output: output, isJSON: true), loop: loop)
        let run = Task { try await pump.run(monitor) }
        tell(Self.longPath, to: monitor, at: 1)
        try await expectSoon("half of a line") { await output.isWithinLine }
        // This one would fit into the rest of the page.
        tell(.viaEth0, to: monitor, at: 2)
        run.cancel()
        try await run.value
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = try bytes.withUnsafeMutableBytes { try reader.read(into: $0) }
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        #expect((2..<1000).contains(count), "\(count)")
        #expect(text.dropFirst().split(separator: "{\"schema\":").count == 1 && !text.hasSuffix("}\n"), "\(text)")
        try reader.close()
    }

    private func tell(_ path: Path, to monitor: ConnectivityMonitor, at seconds: UInt64) {
        let time = MonotonicTime(nanoseconds: seconds * 1_000_000_000)
        let cause = Cause(kind: .start, description: "the test says so")
        let update = PathUpdate(previous: .unknown, path: path, cause: cause, time: time)
        _ = monitor.hub.reduce(.path(update), at: Instant(monotonic: time, wall: seconds * 1_000_000_000))
    }

    /// A path whose event is a little longer than a page.
    private static var longPath: Path {
        var event = Event.online
        while event.jsonLine.count < 4600 { event.path.nameServers.append(.v4(IPv4Address(rawValue: 0xC000_0235))) }
        return event.path
    }
}
