import Connectivity
import Foundation
import Netwatch
import NetwatchService
import Reachability
import Testing

@Suite("Events as lines")
struct EventLineTests {
    @Test("an event is one line of JSON", arguments: [Event.snapshot(), .online])
    func oneLine(event: Event) throws {
        let bytes = event.jsonLine
        #expect(bytes.last == UInt8(ascii: "\n"))
        #expect(bytes.dropLast().allSatisfy { $0 != UInt8(ascii: "\n") })
        #expect(try JSONLine(String(decoding: bytes, as: UTF8.self)).reachability == event.reachability.rawValue)
    }

    @Test("a line break in a name does not break the line")
    func hostileName() throws {
        var event = Event.online
        event.path.interfaces[0].name = "a\nb\u{0}c\u{2028}"
        let bytes = event.jsonLine
        #expect(bytes.filter { $0 == UInt8(ascii: "\n") }.count == 1)
        let line = try JSONLine(String(decoding: bytes, as: UTF8.self))
        #expect(line.path?.interfaces.first?.name == event.path.interfaces[0].name)
    }

    @Test("a line for people tells the time, the change and its cause")
    func plain() {
        let text = PlainLine.text(of: .online)
        #expect(
            text.hasSuffix(
                "  none → ethernet via eth0, connectivity none → full  IPv4 via 192.0.2.1 dev eth0  default via 192.0.2.1 dev eth0 was added"
            ))
    }

    @Test(
        "a line for people tells what was not read in time",
        arguments: [(1, "an event before this one was"), (7, "7 events before this one were")] as [(UInt64, String)])
    func skipped(count: UInt64, words: String) {
        var event = Event.carrierLost
        event.skipped = count
        #expect(PlainLine.text(of: event).hasSuffix("(\(words) not read in time)"))
    }

    @Test("times are written as RFC 3339 has them")
    func times() {
        #expect(TimeText.rfc3339(Event.testTime) == "2026-11-21T08:41:03.123456Z")
        #expect(TimeText.rfc3339(0) == "1970-01-01T00:00:00.000000Z")
    }
}
