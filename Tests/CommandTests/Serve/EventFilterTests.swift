import Connectivity
import Netwatch
import Testing

@testable import NetwatchService

@Suite("The choice of events")
struct EventFilterTests {
    private static var shop: EventFilter { EventFilter(kinds: [], targets: ["shop"]) }

    private static func event(_ change: (inout Event) -> Void) -> Event {
        var event = Event.carrierLost
        event.kind = .target
        change(&event)
        return event
    }

    @Test("by a target has what is told of all others in one word, of the event and of its line")
    func others() {
        let events = [
            Self.event { $0.othersUp = true }, Self.event { $0.othersUnknown = true },
            Self.event { $0.targets = [TargetHealth(target: "shop", status: .down)] },
        ]
        for event in events {
            #expect(Self.shop.wants(event))
            #expect(Self.shop.wants(event.json))
        }
        let another = Self.event { $0.targets = [TargetHealth(target: "bank", status: .down)] }
        #expect(!Self.shop.wants(another) && !Self.shop.wants(another.json))
    }

    @Test("by an interface has what is told of an uplink that is spare")
    func spare() {
        var filter = EventFilter()
        filter.interfaces = ["wwan0"]
        let event = Self.event {
            $0.kind = .uplink
            $0.changes = .uplinks
            $0.spare = "wwan0"
        }
        #expect(filter.wants(event) && filter.wants(event.json))
        #expect(!filter.wants(Event.online) && !filter.wants(Event.online.json))
    }

    @Test("by an interface has what tells that it is the spare no more, once")
    func noSpare() {
        var filter = EventFilter()
        filter.interfaces = ["wwan0"]
        let before = Self.event { $0.spare = "wwan0" }
        #expect(filter.wants(Event.online, after: filter.roles(in: before)))
        #expect(!filter.wants(Event.online, after: filter.roles(in: Event.online)))
        filter.kinds = [.portal]
        #expect(!filter.wants(Event.online, after: filter.roles(in: before)))
    }
}
