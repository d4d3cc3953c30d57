import Connectivity
import EventLoop
import Fleet
import History
import MQTT
import Netwatch
import Synchronization

/// Publishes a service's state and events over MQTT.
final class MQTTExporter: EventExporter, MQTTDelegate {
    private static let patience = Duration.seconds(2)

    let health: ExportHealth
    private let settings: MQTTSettings
    private let topics: FleetTopics
    private let origin: EventOrigin
    private let discoveries: [MQTTMessage]
    private let backlog: any EventBacklog
    /// The state as it is.
    private let state: @Sendable () -> Event
    private let outbox: Mutex<MQTTOutbox>
    private let client = Mutex<MQTTClient?>(nil)
    /// Up to where it was told that events are missing.
    private let toldMissing = Mutex<EventCursor?>(nil)

    /// - Parameters:
    ///   - origin: Whose events they are.
    ///   - backlog: What keeps events until they are delivered.
    ///   - state: Tells the state as it is, from any thread.
    init(
        _ export: MQTTExport, host: String?, origin: EventOrigin, backlog: any EventBacklog,
        health: ExportHealth? = nil, state: @escaping @Sendable () -> Event
    ) {
        let host = host ?? origin.id
        topics = FleetTopics(prefix: export.prefix, host: host)
        self.origin = origin
        self.state = state
        self.backlog = backlog
        // A broker is tried from the first moment on, and may take the connection and say nothing.
        let words = export.brokers.first.map { "\($0) has not answered yet" } ?? "none is named"
        self.health = health ?? ExportHealth("mqtt", words: words)
        discoveries =
            export.homeAssistant.map { [topics] in
                HomeAssistant(prefix: $0, topics: topics, origin: origin).messages
            } ?? []
        settings = MQTTSettings(export, clientID: "netwatch-\(host)", topics: topics)
        outbox = Mutex(MQTTOutbox(heartbeat: export.heartbeat, discoveries: discoveries.count))
    }

    /// - Throws: ``MQTTFailure`` where there is no thread to be had.
    func start() throws(MQTTFailure) {
        let new = try MQTTClient(settings, delegate: self)
        client.withLock { $0 = new }
    }

    func stop() {
        client.withLock { $0.take() }?.stop(within: Self.patience)
    }

    func take(_ event: Event) {
        backlog.append(event)
        outbox.withLock { $0.stateChanged() }
        let client = client.withLock { $0 }
        client?.wake()
        if event.changes.contains(.path) || event.kind == .transition { client?.retryNow() }
    }

    // MARK: MQTTDelegate

    func connected(to broker: Broker) {
        outbox.withLock { $0.connected() }
        health.succeeded("connected to \(broker)")
    }

    func failed(_ failure: MQTTFailure) {
        let isByBroker = if case .closed = failure { true } else { false }
        let dropped = outbox.withLock { $0.disconnected(at: .now, isByBroker: isByBroker) }
        health.failed("\(failure)")
        if let dropped { drop(dropped, reason: "the broker closed \(MQTTOutbox.mostTries) connections over it") }
        health.queued(backlog.count)
    }

    func due() -> MonotonicTime? { outbox.withLock { $0.due } }

    func next(at now: MonotonicTime) -> (number: UInt64, message: MQTTMessage)? {
        if let (number, content) = outbox.withLock({ $0.nextNotice(at: now) }) { return (number, notice(content)) }
        let (isOnTrial, place) = outbox.withLock { ($0.isOnTrial, $0.place) }
        guard !isOnTrial, let entry = backlog.next(after: place) else { return nil }
        let (content, payload) = written(entry)
        let number = outbox.withLock { $0.send(content, at: now).number }
        return (number, MQTTMessage(topic: topics.events, payload: payload))
    }

    func acknowledged(_ number: UInt64) {
        if let place = outbox.withLock({ $0.acknowledged(number) }) { backlog.delivered(upTo: place) }
        health.sent()
        health.queued(backlog.count)
    }

    func refused(_ number: UInt64, reason: String) {
        guard let content = outbox.withLock({ $0.refused(number) }) else { return }
        drop(content, reason: reason)
    }

    // MARK: Messages

    private func drop(_ content: MQTTOutbox.Content, reason: String) {
        if let place = outbox.withLock({ $0.delivered }) { backlog.delivered(upTo: place) }
        health.dropped(because: "\(words(content)) is given up: \(reason)")
    }

    private func words(_ content: MQTTOutbox.Content) -> String {
        switch content {
        case .presence: topics.online
        case .state: topics.state
        case .discovery(let index): discoveries[index].topic
        case .event(let place): "event \(place)"
        case .gap(_, let place): "the gap up to \(place)"
        }
    }

    private func notice(_ content: MQTTOutbox.Content) -> MQTTMessage {
        switch content {
        case .discovery(let index): discoveries[index]
        case .state:
            MQTTMessage(topic: topics.state, payload: state().jsonLine(of: origin).withoutLast(), isRetained: true)
        case .presence, .event, .gap: MQTTMessage(topics, .online)
        }
    }

    private func written(_ entry: BacklogEntry) -> (MQTTOutbox.Content, [UInt8]) {
        switch entry {
        case .event(let event, let place): (.event(place), event.jsonLine(of: origin).withoutLast())
        case .line(let line, let place): (.event(place), line)
        case .gap(let first, let last):
            (.gap(after: first, upTo: last), gap(after: first, upTo: last))
        }
    }

    /// What is missing is told once, however often it is tried to deliver that.
    private func gap(after first: EventCursor, upTo last: EventCursor) -> [UInt8] {
        let isNews = toldMissing.withLock { told in
            defer { told = max(told ?? last, last) }
            return told.map { $0 < last } ?? true
        }
        if isNews {
            let count = first.count(upTo: last)
            let words = "\(count) events after \(first) up to \(last) are given up: who follows hears of a gap"
            health.dropped(count, because: words)
        }
        return origin.gap(after: "\(first)", upTo: "\(last)")
    }
}

extension MQTTMessage {
    fileprivate init(_ topics: FleetTopics, _ presence: Presence) {
        self.init(topic: topics.online, payload: Array(presence.rawValue.utf8), isRetained: true)
    }
}

extension MQTTSettings {
    fileprivate init(_ export: MQTTExport, clientID: String, topics: FleetTopics) {
        self.init(brokers: export.brokers, clientID: clientID)
        version = export.version
        user = export.user
        passwordFile = export.passwordFile
        caFile = export.caFile
        certificateFile = export.certificateFile
        keyFile = export.keyFile
        will = MQTTMessage(topics, .offline)
        farewell = MQTTMessage(topics, .stopped)
    }
}
