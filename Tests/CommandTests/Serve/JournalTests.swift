import Connectivity
import EventLoop
import TestSupport
import Testing

@testable import NetwatchService

@Suite("systemd's journal")
struct JournalTests {
    /// The fields of a message, as the journal reads them.
    private static func read(_ bytes: [UInt8]) -> [String: String] {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return Dictionary(
            lines.compactMap { line in
                line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
            }
        ) { first, _ in first }
    }

    @Test("an event is one message with its number, its words and what it is found by")
    func fields() {
        let fields = Self.read(Journal.message(Journal.fields(of: .carrierLost)))
        #expect(fields["MESSAGE"] == Event.carrierLost.description)
        #expect(fields["PRIORITY"] == "4")
        #expect(fields["NETWATCH_SEQ"] == "3" && fields["NETWATCH_KIND"] == "transition")
        #expect(fields["NETWATCH_REACHABILITY"] == "none" && fields["NETWATCH_CONNECTIVITY"] == "none")
        let better = Self.read(Journal.message(Journal.fields(of: .online)))
        #expect(better["PRIORITY"] == "6" && better["NETWATCH_INTERFACE"] == "eth0")
        #expect(better["NETWATCH_TARGET"] == "http://192.0.2.9/")
        #expect(better["MESSAGE_ID"] == fields["MESSAGE_ID"])
    }

    @Test("each kind of event has a number of its own, in 32 digits")
    func numbers() {
        let numbers = Event.Kind.allCases.map(Journal.messageID)
        #expect(Set(numbers).count == Event.Kind.allCases.count)
        #expect(numbers.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }

    @Test("a value of several lines has its length before it, so that it cannot be taken for fields")
    func lines() {
        let bytes = Journal.message([("MESSAGE", "a\nPRIORITY=0")])
        #expect(bytes == Array("MESSAGE\n".utf8) + [12, 0, 0, 0, 0, 0, 0, 0] + Array("a\nPRIORITY=0\n".utf8))
    }

    @Test("a journal takes it by its socket; where there is none, that is told")
    func socket() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/journal"
        let script = """
            import socket, sys
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(sys.argv[1]); print("bound", flush=True)
            while True: print(s.recv(65536).decode().replace("\\n", "|"), flush=True)
            """
        #expect(!Journal(path: path).write(.online))
        let receiver = try ProgramRun(["/usr/bin/python3", "-c", script, path])
        _ = try await receiver.line(0)
        #expect(Journal(path: path).write(.online))
        #expect(try await receiver.line(1).contains("|NETWATCH_KIND=transition|"))
        #expect(Journal(path: path).write(leftOut: 7))
        #expect(try await receiver.line(2).contains("7 events came too fast"))
    }

    @Test(
        "standard output is the journal where it is the socket that systemd names",
        arguments: [
            ("socket:[123]", "8:123", true), ("socket:[124]", "8:123", false), ("/dev/null", "8:123", false),
            ("socket:[]", "8:", false), ("pipe:[123]", "8:123", false), ("", "", false),
        ])
    func stream(file: String, stream: String, isIt: Bool) {
        #expect(Journal.isJournal(file, stream) == isIt)
    }

    @Test("a storm is thirty messages, then one a second and the number of the others")
    func storm() {
        var pace = LogPace()
        func at(_ milliseconds: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }
        var taken = 0
        for time in UInt64(0)..<100 where pace.allows(at: at(time)) { taken += 1 }
        #expect(taken == 30 && pace.leftOut == 70)
        let later = [900, 1100, 1200].map { (time: UInt64) in pace.allows(at: at(time)) }
        #expect(later == [false, true, false])
        let (leftOut, rest) = (pace.takeLeftOut(), pace.leftOut)
        #expect(leftOut == 72 && rest == 0)
        taken = 0
        for _ in 0..<100 where pace.allows(at: at(600_000)) { taken += 1 }
        #expect(taken == 30)
    }
}
