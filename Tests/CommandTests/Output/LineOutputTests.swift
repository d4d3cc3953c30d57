import EventLoop
import Foundation
import Glibc
import NetwatchService
import SystemPackage
import Testing

@Suite("Output that never blocks", .timeLimit(.minutes(2)))
struct LineOutputTests {
    @Test("a reader that is slow gets every byte in order, and the loop turns meanwhile")
    func slowReader() async throws {
        let loop = try EventLoop()
        let (reader, writer) = try FileDescriptor.pipe()
        let output = try LineOutput(writer, name: "pipe", loop: loop)
        try writer.close()
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let writing = Task { try await output.write(bytes) }
        // The pipe holds 64 KiB: the writer must be waiting, and the loop must not.
        try await loop.sleep(for: .milliseconds(10))
        #expect(try await Self.read(reader, until: bytes.count) == bytes)
        try await writing.value
        try reader.close()
    }

    @Test("the descriptor that was handed over stays as it was: its flags are shared with others")
    func flags() async throws {
        let loop = try EventLoop()
        let (reader, writer) = try FileDescriptor.pipe()
        let before = fcntl(writer.rawValue, F_GETFL)
        let output = try LineOutput(writer, name: "pipe", loop: loop)
        try await output.write([1])
        #expect(fcntl(writer.rawValue, F_GETFL) == before)
        try writer.close()
        try reader.close()
    }

    @Test("a reader that goes away is told, while writing and while idle")
    func closedReader() async throws {
        signal(SIGPIPE, SIG_IGN)
        let loop = try EventLoop()
        let (reader, writer) = try FileDescriptor.pipe()
        let output = try LineOutput(writer, name: "pipe", loop: loop)
        try writer.close()
        let waiting = Task { await output.waitUntilClosed() }
        try await loop.sleep(for: .milliseconds(5))
        try reader.close()
        await waiting.value
        await #expect(throws: OutputError.closed) { try await output.write([1]) }
    }

    @Test("a cancelled task stops waiting for a reader that does not read")
    func cancellation() async throws {
        let loop = try EventLoop()
        let (reader, writer) = try FileDescriptor.pipe()
        let output = try LineOutput(writer, name: "pipe", loop: loop)
        let writing = Task { try await output.write([UInt8](repeating: 0, count: 1_000_000)) }
        try await loop.sleep(for: .milliseconds(10))
        writing.cancel()
        try await writing.value
        try reader.close()
        try writer.close()
    }

    @Test("a socket is written without blocking, too")
    func socket() async throws {
        let loop = try EventLoop()
        var ends: [CInt] = [0, 0]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let output = try LineOutput(FileDescriptor(rawValue: ends[1]), name: "socket", loop: loop)
        close(ends[1])
        let bytes = [UInt8](repeating: 7, count: 2_000_000)
        let writing = Task { try await output.write(bytes) }
        #expect(try await Self.read(FileDescriptor(rawValue: ends[0]), until: bytes.count) == bytes)
        try await writing.value
        close(ends[0])
    }

    @Test("a full disk is an error that names the output")
    func fullDisk() async throws {
        let loop = try EventLoop()
        let full = try FileDescriptor.open("/dev/full", .writeOnly)
        let output = try LineOutput(full, name: "standard output", loop: loop)
        try full.close()
        await #expect(throws: OutputError.failed(name: "standard output", .noSpace)) { try await output.write([1]) }
    }

    @Test("whether what was written ends within a line is known")
    func withinLine() async throws {
        let loop = try EventLoop()
        let (reader, writer) = try FileDescriptor.pipe()
        let output = try LineOutput(writer, name: "pipe", loop: loop)
        try writer.close()
        #expect(await !output.isWithinLine)
        try await output.write(Array("one\ntw".utf8))
        #expect(await output.isWithinLine)
        try await output.write(Array("o\n".utf8))
        #expect(await !output.isWithinLine)
        try reader.close()
    }

    @Test("a descriptor that is not open is refused by name")
    func notOpen() throws {
        let loop = try EventLoop()
        #expect(throws: OutputError.notOpen(name: "x")) {
            try LineOutput(FileDescriptor(rawValue: 1023), name: "x", loop: loop)
        }
    }

    /// Reads little by little, on a thread of its own: a thread of Swift's pool that waited here could be the one that is
    /// to write.
    private static func read(_ descriptor: FileDescriptor, until count: Int) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try bytes(of: descriptor, until: count) }) }
        }
    }

    private static func bytes(of descriptor: FileDescriptor, until count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 3000)
        while bytes.count < count {
            let read = try buffer.withUnsafeMutableBytes { try descriptor.read(into: $0) }
            guard read > 0 else { break }
            bytes += buffer[..<read]
        }
        return bytes
    }
}
