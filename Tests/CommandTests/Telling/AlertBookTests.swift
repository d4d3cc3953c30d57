import Connectivity
import History
import JSON
import Netwatch
import Testing

@testable import NetwatchService

@Suite("What an Alertmanager is told")
struct AlertBookTests {
    private static let origin = EventOrigin(id: "5c1a", name: "router-7", labels: ["site": "Bern"], epoch: 7)

    private func state(
        _ connectivity: ConnectivityStatus, at second: UInt64, _ targets: [(String, TargetHealth.Status)] = []
    ) -> Event {
        var event = Event.snapshot(.ethernet, connectivity, interfaces: ["eth0"])
        event.timeNanoseconds = second * 1_000_000_000
        event.monotonic = second * 1_000_000_000
        event.targets = targets.map { TargetHealth(target: $0.0, status: $0.1) }
        return event
    }

    /// - Parameters:
    ///   - ahead: By so many seconds the clock was set forward since.
    ///   - asleep: For so many seconds the host was suspended since.
    private func alerts(_ book: AlertBook, ahead: Int64 = 0, asleep: Int64 = 0) -> [JSONValue] {
        var now = Stamp(awake: state(.unknown, at: 20))
        now.wall += (asleep + ahead) * 1_000_000_000
        now.boot += asleep * 1_000_000_000
        return book.json(of: Self.origin, at: now, lapse: 1_000_000_000_000).arrayValue ?? []
    }

    @Test("an alert begins when something goes down, and ends once that was told; what is not known changes nothing")
    func course() {
        var book = AlertBook()
        book.take(state(.full, at: 1, [("shop", .up)]), targets: [])
        #expect(book.count == 0)
        book.take(state(.full, at: 2, [("shop", .down), ("mail", .down)]), targets: [])
        book.take(state(.local, at: 3, [("shop", .unknown), ("mail", .unknown)]), targets: [])
        book.told()
        let names = alerts(book).map { $0["labels"]?["alertname"]?.stringValue ?? "" }
        #expect(names == ["NetwatchHostDown", "NetwatchTargetDown", "NetwatchTargetDown"])
        #expect(
            alerts(book).map { $0["startsAt"]?.stringValue?.suffix(10) } == ["03.000000Z", "02.000000Z", "02.000000Z"])
        #expect(alerts(book).allSatisfy { $0["endsAt"] == "1970-01-01T00:16:40.000000Z" })
        #expect(alerts(book)[1]["labels"]?["target"] == "mail" && alerts(book)[1]["labels"]?["site"] == "Bern")

        // The mail server is not watched any more.
        book.take(state(.full, at: 9, [("shop", .up)]), targets: [])
        #expect(alerts(book).allSatisfy { $0["endsAt"]?.stringValue?.hasSuffix("09.000000Z") == true })
        book.take(state(.full, at: 10, [("shop", .up)]), targets: [])
        #expect(alerts(book).allSatisfy { $0["endsAt"]?.stringValue?.hasSuffix("09.000000Z") == true })
        book.told()
        #expect(book.count == 0)
    }

    @Test("the times of an alert follow a clock that is set, and none ends before it begins")
    func clock() {
        var book = AlertBook()
        book.take(state(.none, at: 5), targets: [])
        #expect(alerts(book).first?["startsAt"] == "1970-01-01T00:00:05.000000Z")
        #expect(alerts(book, ahead: 600).first?["startsAt"] == "1970-01-01T00:10:05.000000Z")
        // Set back between the state and the time at which those that fire end by themselves.
        #expect(alerts(book, ahead: 3600).first?["startsAt"] == "1970-01-01T00:16:40.000000Z")
        book.take(state(.full, at: 8), targets: [])
        #expect(alerts(book, ahead: 600).first?["startsAt"] == "1970-01-01T00:10:05.000000Z")
        #expect(alerts(book, ahead: 600).first?["endsAt"] == "1970-01-01T00:10:08.000000Z")
    }

    @Test("a time in suspend moves neither the beginning of an alert nor its end")
    func asleep() {
        var book = AlertBook()
        book.take(state(.none, at: 5), targets: [])
        #expect(alerts(book, asleep: 600).first?["startsAt"] == "1970-01-01T00:00:05.000000Z")
        #expect(alerts(book, ahead: 60, asleep: 600).first?["startsAt"] == "1970-01-01T00:01:05.000000Z")
        book.take(state(.full, at: 8), targets: [])
        #expect(alerts(book, asleep: 600).first?["startsAt"] == "1970-01-01T00:00:05.000000Z")
        #expect(alerts(book, asleep: 600).first?["endsAt"] == "1970-01-01T00:00:08.000000Z")
    }

    @Test("one that comes back before its end was told goes on as another; targets that are not chosen are left out")
    func again() {
        var book = AlertBook()
        book.take(state(.none, at: 1, [("shop", .down), ("mail", .down)]), targets: ["shop"])
        #expect(alerts(book).map { $0["labels"]?["target"] } == ["shop"])
        book.take(state(.full, at: 2, [("shop", .up)]), targets: ["shop"])
        book.take(state(.full, at: 3, [("shop", .down)]), targets: ["shop"])
        #expect(alerts(book).map { $0["startsAt"]?.stringValue?.suffix(10) } == ["03.000000Z"])
        #expect(alerts(book).first?["endsAt"] == "1970-01-01T00:16:40.000000Z")
    }
}

extension AlertBook {
    fileprivate mutating func take(_ event: Event, targets: Set<String>) {
        take(event, at: Stamp(awake: event), targets: targets)
    }
}

extension Stamp {
    /// When an event was, on a host that was never suspended.
    fileprivate init(awake event: Event) {
        let monotonic = Int64(event.monotonic)
        self.init(wall: Int64(event.timeNanoseconds), monotonic: monotonic, boot: monotonic)
    }
}
