import Glibc
import NetworkAddress
import SystemPackage
import TestSupport
import Testing

@testable import NetwatchService

@Suite("The answer of a service", .timeLimit(.minutes(2)))
struct ServiceAnswerTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path.appending("s.sock").string }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A program in the place of a service, which answers all the same.
    private func service(_ answer: String) throws -> SocketServer {
        try SocketServer(unixSocket: path) { connection in
            connection.readRequest()
            connection.send(answer)
        }
    }

    @Test("is none where it was cut off", arguments: [nil, 8, 20] as [Int?])
    func length(_ length: Int?) throws {
        let field = length.map { "Content-Length: \($0)\r\n" } ?? ""
        let server = try service("HTTP/1.0 200 OK\r\n\(field)\r\nethernet")
        defer { withExtendedLifetime(server) {} }
        if length == 20 {
            #expect(throws: ServiceAnswerError(path: path, cause: .connectionReset)) {
                try ServiceAnswer(to: "GET /status", at: path)
            }
        } else {
            #expect(try ServiceAnswer(to: "GET /status", at: path).body == "ethernet")
        }
    }

    @Test("is none where another program gives it")
    func foreign() async throws {
        let server = try service("HTTP/1.0 200 OK\r\nContent-Length: 12\r\n\r\n{\"schema\":1}")
        defer { withExtendedLifetime(server) {} }
        let outcome = try await Netwatch.run(["history", "--socket", path])
        #expect(outcome.status == 69 && outcome.errorText.contains("no service answers at"), "\(outcome)")
        #expect(HistoryTable.percent(-1e300) == "0.000 %")
    }

    @Test("cannot be asked for at an empty path", arguments: ["status", "history", "events", "reload"])
    func emptyPath(command: String) async throws {
        let outcome = try await Netwatch.run([command, "--socket", ""])
        #expect(outcome.status == 64 && outcome.errorText.contains("--socket has to name a socket"), "\(outcome)")
    }

    @Test(
        "is all that netwatch status tells of a service that is named, also where it does not know",
        arguments: [
            ("503 No\r\n\r\nno answer of the kernel yet\n", 69, [], "netwatch: no answer of the kernel yet\n"),
            ("200 OK\r\nNetwatch-Exit-Status: 6\r\n\r\nunknown\n", 6, ["unknown"], ""),
        ] as [(String, Int32, [String], String)])
    func undecided(answer: String, status: Int32, lines: [String], words: String) async throws {
        let server = try service("HTTP/1.0 \(answer)")
        defer { withExtendedLifetime(server) {} }
        let outcome = try await Netwatch.run(["status", "--socket", path])
        #expect(outcome.status == status && outcome.lines == lines && outcome.errorText == words, "\(outcome)")
    }

    @Test("is waited for no longer than told where a service accepts nobody")
    func standstill() throws {
        let listener = FileDescriptor(
            rawValue: socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0))
        defer { try? listener.close() }
        let address = try #require(UnixAddress(path))
        #expect(address.withSocketAddress { bind(listener.rawValue, $0, $1) } == 0)
        // With a backlog of none, one connection is the last that it takes.
        #expect(listen(listener.rawValue, 0) == 0)
        let waiting = try UnixConnection(path)
        defer { withExtendedLifetime(waiting) {} }
        #expect(throws: Errno.resourceTemporarilyUnavailable) {
            try UnixConnection(path, patience: .milliseconds(200))
        }
    }

    @Test("is waited for no longer than told where it trickles")
    func trickle() throws {
        let server = try SocketServer(unixSocket: path) { connection in
            while connection.send("x") { usleep(20_000) }
        }
        defer { withExtendedLifetime(server) {} }
        let connection = try UnixConnection(path, patience: .milliseconds(300))
        #expect(throws: Errno.resourceTemporarilyUnavailable) {
            for _ in 0..<1000 { _ = try connection.receive() }
        }
    }
}
