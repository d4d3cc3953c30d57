import Connectivity
import EventLoop
import History
import MQTT
import Netwatch
import Synchronization
import TestSupport
import Testing

@testable import NetwatchService

@Suite("What MQTT sends next")
struct OutboxTests {
    private static func time(_ seconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: UInt64(seconds * 1e9))
    }

    private static func place(_ seq: UInt64) -> EventCursor { EventCursor(run: 7, seq: seq) }

    /// Everything but events that is due at a time.
    private static func notices(_ outbox: inout MQTTOutbox, at seconds: Double) -> [MQTTOutbox.Content] {
        var contents: [MQTTOutbox.Content] = []
        while let next = outbox.nextNotice(at: time(seconds)) {
            contents.append(next.content)
            _ = outbox.acknowledged(next.number)
        }
        return contents
    }

    @Test("a connection begins with the presence, what Home Assistant is told, and the state")
    func greeting() {
        var outbox = MQTTOutbox(heartbeat: .seconds(60), discoveries: 2)
        outbox.connected()
        #expect(Self.notices(&outbox, at: 1) == [.presence, .discovery(0), .discovery(1)])
        outbox.stateChanged()
        #expect(Self.notices(&outbox, at: 1) == [.state])
        outbox.connected()
        #expect(Self.notices(&outbox, at: 1) == [.presence, .discovery(0), .discovery(1), .state])
    }

    @Test("the state goes out at most once a second, and once a heartbeat although nothing has changed")
    func state() {
        var outbox = MQTTOutbox(heartbeat: .seconds(60), discoveries: 0)
        outbox.connected()
        outbox.stateChanged()
        #expect(Self.notices(&outbox, at: 10) == [.presence, .state])
        #expect(outbox.due == Self.time(70))
        outbox.stateChanged()
        #expect(Self.notices(&outbox, at: 10.5) == [] && outbox.due == Self.time(11))
        #expect(Self.notices(&outbox, at: 11) == [.state])
        #expect(Self.notices(&outbox, at: 70) == [.presence])
        #expect(Self.notices(&outbox, at: 71) == [.state])
    }

    @Test("the presence is told anew each heartbeat: a will may come after the connection that took its place")
    func presence() {
        var outbox = MQTTOutbox(heartbeat: .seconds(60), discoveries: 1)
        outbox.connected()
        #expect(Self.notices(&outbox, at: 10) == [.presence, .discovery(0)])
        #expect(outbox.due == Self.time(70) && Self.notices(&outbox, at: 69) == [])
        #expect(Self.notices(&outbox, at: 70) == [.presence] && outbox.due == Self.time(130))
    }

    @Test("only what has arrived without a hole counts as delivered, and the rest is sent anew by the next connection")
    func delivery() {
        var outbox = MQTTOutbox(heartbeat: .seconds(60), discoveries: 0)
        outbox.connected()
        #expect(outbox.place == nil)
        let numbers = (1...4).map { outbox.send(.event(Self.place($0)), at: Self.time(1)).number }
        #expect(outbox.place == Self.place(4))
        #expect(outbox.acknowledged(numbers[1]) == nil)
        #expect(outbox.acknowledged(numbers[0]) == Self.place(2))
        #expect(outbox.acknowledged(numbers[3]) == nil)
        #expect(outbox.disconnected(at: Self.time(9), isByBroker: false) == nil)
        outbox.connected()
        #expect(outbox.place == Self.place(2))
        #expect(outbox.acknowledged(numbers[2]) == nil, "a word about another connection's message means nothing")
    }

    @Test("a message that three connections ended over is given up, after it went alone")
    func refusal() {
        var outbox = MQTTOutbox(heartbeat: .seconds(60), discoveries: 0)
        for attempt in 1...3 {
            outbox.connected()
            for notice in [outbox.nextNotice(at: Self.time(1))] { _ = notice.map { outbox.acknowledged($0.number) } }
            _ = outbox.send(.event(Self.place(1)), at: Self.time(1))
            #expect(outbox.isOnTrial == (attempt > 1))
            if attempt == 1 { _ = outbox.send(.event(Self.place(2)), at: Self.time(1)) }
            let dropped = outbox.disconnected(at: Self.time(1.5), isByBroker: true)
            #expect(dropped == (attempt == 3 ? .event(Self.place(1)) : nil))
        }
        outbox.connected()
        #expect(outbox.place == Self.place(1) && outbox.delivered == Self.place(1))
        #expect(!outbox.isOnTrial)
    }

    @Test("a network that breaks off is no refusal, nor is a broker that closes later")
    func innocence() {
        var outbox = MQTTOutbox(heartbeat: .seconds(60), discoveries: 0)
        for _ in 1...9 {
            outbox.connected()
            _ = outbox.send(.event(Self.place(1)), at: Self.time(1))
            #expect(outbox.disconnected(at: Self.time(1.1), isByBroker: false) == nil)
            outbox.connected()
            _ = outbox.send(.event(Self.place(1)), at: Self.time(1))
            #expect(outbox.disconnected(at: Self.time(9), isByBroker: true) == nil)
        }
        #expect(outbox.delivered == nil)
    }

    @Test(
        "nothing is due that may not be sent: a state that was refused or is on its way, and all while one goes alone")
    func due() throws {
        var outbox = MQTTOutbox(heartbeat: .seconds(60), discoveries: 0)
        outbox.connected()
        _ = outbox.nextNotice(at: Self.time(1)).map { outbox.acknowledged($0.number) }
        outbox.stateChanged()
        let notice = outbox.nextNotice(at: Self.time(1))
        outbox.stateChanged()
        #expect(notice?.content == .state)
        #expect(Self.notices(&outbox, at: 9) == [])
        #expect(outbox.due == Self.time(61), "that of the presence")
        #expect(outbox.disconnected(at: Self.time(2), isByBroker: true) == nil)
        outbox.connected()
        _ = outbox.nextNotice(at: Self.time(3))
        #expect(outbox.isOnTrial && outbox.due == nil)
        outbox.connected()
        _ = outbox.nextNotice(at: Self.time(4)).map { outbox.acknowledged($0.number) }
        let next = outbox.nextNotice(at: Self.time(4))
        let again = try #require(next)
        #expect(outbox.refused(again.number) == .state)
        outbox.stateChanged()
        #expect(Self.notices(&outbox, at: 9) == [] && outbox.due == Self.time(64))
        // The broker's rules may be others by the next heartbeat.
        #expect(Self.notices(&outbox, at: 64) == [.presence, .state])
    }

    @Test("a state that no broker takes is given up without the events")
    func unwantedState() {
        var outbox = MQTTOutbox(heartbeat: .seconds(60), discoveries: 0)
        outbox.stateChanged()
        for _ in 1...3 {
            outbox.connected()
            _ = outbox.nextNotice(at: Self.time(1)).map { outbox.acknowledged($0.number) }
            #expect(outbox.nextNotice(at: Self.time(1))?.content == .state)
            _ = outbox.disconnected(at: Self.time(1), isByBroker: true)
        }
        // Another broker that could not be reached in between says nothing of this one.
        _ = outbox.disconnected(at: Self.time(1), isByBroker: false)
        outbox.connected()
        #expect(Self.notices(&outbox, at: 2) == [.presence])
        // One that has stood for a while may have been given another rule.
        _ = outbox.disconnected(at: Self.time(20), isByBroker: false)
        outbox.connected()
        #expect(Self.notices(&outbox, at: 21) == [.presence, .state])
    }
}

@Suite("Events that wait in memory")
struct MemoryBacklogTests {
    private static func event(_ seq: UInt64, targets: Int = 0) -> Event {
        var event = Event.online
        event.seq = seq
        event.targets = Array(repeating: TargetHealth(target: "x", status: .up), count: targets)
        event.probes = []
        return event
    }

    /// The numbers of what comes, a gap as the negative number of its end.
    private static func read(_ backlog: MemoryBacklog, from place: EventCursor? = nil) -> [Int] {
        var (numbers, place): ([Int], EventCursor?) = ([], place)
        while let entry = backlog.next(after: place) {
            place = entry.place
            if case .gap = entry { numbers.append(-Int(entry.place.seq)) } else { numbers.append(Int(entry.place.seq)) }
        }
        return numbers
    }

    @Test("come in their order, and again until they are delivered")
    func order() {
        let backlog = MemoryBacklog(run: 7)
        for seq in 1...5 as ClosedRange<UInt64> { backlog.append(Self.event(seq)) }
        #expect(Self.read(backlog) == [1, 2, 3, 4, 5])
        backlog.delivered(upTo: EventCursor(run: 7, seq: 3))
        #expect(Self.read(backlog) == [4, 5] && backlog.count == 2)
        #expect(Self.read(backlog, from: EventCursor(run: 7, seq: 4)) == [5])
    }

    @Test("are given up from the oldest on, which is told as a gap")
    func bound() {
        let backlog = MemoryBacklog(run: 7, most: 3)
        for seq in 1...5 as ClosedRange<UInt64> { backlog.append(Self.event(seq)) }
        #expect(Self.read(backlog) == [-2, 3, 4, 5])
        backlog.delivered(upTo: EventCursor(run: 7, seq: 3))
        for seq in 6...9 as ClosedRange<UInt64> { backlog.append(Self.event(seq)) }
        #expect(Self.read(backlog) == [-6, 7, 8, 9])
    }

    @Test("that are given up are told once over MQTT, however often the gap is sent")
    func toldOverMQTT() throws {
        let backlog = MemoryBacklog(run: 7, most: 3)
        for seq in 1...5 as ClosedRange<UInt64> { backlog.append(Self.event(seq)) }
        let lines = Mutex<[String]>([])
        let broker = try Broker("mqtt://192.0.2.9")
        let exporter = MQTTExporter(
            MQTTExport(brokers: [broker]), host: "a", origin: EventOrigin(id: "a", name: "a", labels: [:], epoch: 7),
            backlog: backlog, health: ExportHealth("mqtt-gap") { line in lines.withLock { $0.append(line) } },
            state: { .online })
        for _ in 1...2 {
            exporter.connected(to: broker)
            while exporter.next(at: MonotonicTime.now) != nil {}
        }
        let told = lines.withLock { $0 }.filter { $0.contains("given up") }
        #expect(told == ["mqtt-gap: 2 events after 7-0 up to 7-2 are given up: who follows hears of a gap"])
    }

    @Test("are bounded by what they name, too")
    func weight() {
        let backlog = MemoryBacklog(run: 7, most: 100, heaviest: 10)
        for seq in 1...4 as ClosedRange<UInt64> { backlog.append(Self.event(seq, targets: 4)) }
        #expect(Self.read(backlog) == [-2, 3, 4])
        backlog.append(Self.event(5, targets: 1000))
        #expect(Self.read(backlog) == [-4, 5])
    }

    @Test("tell of numbers that never came")
    func hole() {
        let backlog = MemoryBacklog(run: 7)
        backlog.append(Self.event(1))
        backlog.append(Self.event(5))
        #expect(Self.read(backlog) == [1, -4, 5])
    }
}
