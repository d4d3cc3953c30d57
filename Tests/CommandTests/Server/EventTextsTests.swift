import Connectivity
import NIOCore
import Testing

@testable import NetwatchService

@Suite("One text of an event for all its readers")
struct EventTextsTests {
    /// Asks for an event's text as so many readers do; returns how often it was written out.
    private func renderings(
        of event: SharedEvent, for readers: Int, in forms: [EventForm] = [.serverSent], _ texts: EventTexts
    ) -> Int {
        var count = 0
        for _ in 0..<readers {
            for form in forms {
                let text = texts.text(of: event, in: form) { event in
                    count += 1
                    return ByteBuffer(string: "\(form) \(event.seq)")
                }
                #expect(String(buffer: text) == "\(form) \(event.event.seq)")
            }
        }
        return count
    }

    @Test("it is written out once for each form, and again only when many have come since")
    func once() {
        let texts = EventTexts()
        let first = SharedEvent(.online)
        #expect(renderings(of: first, for: 1_000, in: [.serverSent, .lines], texts) == 2)
        for _ in 0..<70 { #expect(renderings(of: SharedEvent(.carrierLost), for: 2, texts) == 1) }
        #expect(renderings(of: first, for: 2, texts) == 1)
    }

    @Test("what stands for the events that one reader has missed is not kept")
    func missed() {
        var event = Event.online
        event.skipped = 3
        #expect(renderings(of: SharedEvent(event), for: 2, EventTexts()) == 2)
    }
}
