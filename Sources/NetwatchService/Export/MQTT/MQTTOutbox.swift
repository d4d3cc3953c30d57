import EventLoop
import History

/// What an MQTT connection sends next, without a clock, a socket or the events themselves: which message is on its way,
/// which was taken, and what a broker will not have.
///
/// A connection begins with the presence, what Home Assistant is told, and the state; then come the events in their order.
struct MQTTOutbox: Sendable {
    /// A message, before it is written out.
    enum Content: Hashable, Sendable {
        case presence
        case discovery(Int)
        case state
        case event(EventCursor)
        case gap(after: EventCursor, upTo: EventCursor)
    }

    /// After so many connections that ended over it, a message is given up.
    static let mostTries = 3
    /// The state is published so often at most.
    static let statePause = Duration.seconds(1)
    /// A connection that a broker closes within so long after a message may have been closed because of it.
    static let suspicion = Duration.seconds(2)

    private let heartbeat: Duration
    /// What each connection begins with.
    private let greetings: [Content]
    private var toGreet: [Content] = []
    private var isStateNews = false
    private var isStateKnown = false
    private var isConnected = false
    private var stateTime: MonotonicTime?
    /// When the presence was told last over this connection.
    private var presenceTime: MonotonicTime?
    private var lastNumber: UInt64 = 0
    private var inFlight: [(number: UInt64, content: Content, since: MonotonicTime)] = []
    /// The events that were sent and are not all acknowledged, in their order.
    private var window: [(place: EventCursor, isTaken: Bool)] = []
    /// Up to where all events have arrived.
    private(set) var delivered: EventCursor?
    private var suspect: (content: Content, tries: Int)?
    /// What connections have ended over.
    private var unwanted: Set<Content> = []
    /// What the broker has refused since the last heartbeat.
    private var refusedNow: Set<Content> = []
    /// What this connection's broker has refused and not taken since: that is told once.
    private var toldRefused: Set<Content> = []

    /// - Parameter discoveries: How many messages Home Assistant is told.
    init(heartbeat: Duration, discoveries: Int) {
        self.heartbeat = heartbeat
        greetings = [.presence] + (0..<discoveries).map(Content.discovery)
    }

    // MARK: What happens

    /// There is another state than the one that was published.
    mutating func stateChanged() {
        isStateNews = true
        isStateKnown = true
    }

    mutating func connected() {
        forgetFlight()
        isConnected = true
        toGreet = greetings
        (refusedNow, toldRefused) = ([], [])
        (stateTime, presenceTime) = (nil, nil)
    }

    /// - Parameter isByBroker: Whether the broker has closed the connection itself.
    /// - Returns: What is given up, because connections ended over it.
    mutating func disconnected(at now: MonotonicTime, isByBroker: Bool) -> Content? {
        defer {
            forgetFlight()
            isConnected = false
        }
        guard isByBroker, let first = inFlight.first, first.since.duration(to: now) < Self.suspicion else {
            // The next broker may take what this one did not. One that could not be reached says nothing of that.
            if isConnected { unwanted = [] }
            return nil
        }
        let tries = suspect?.content == first.content ? (suspect?.tries ?? 0) + 1 : 1
        suspect = (first.content, tries)
        guard tries >= Self.mostTries else { return nil }
        giveUp(first.content)
        return first.content
    }

    /// - Returns: Up to where all events have arrived now; nil where that is as it was.
    mutating func acknowledged(_ number: UInt64) -> EventCursor? {
        guard let index = inFlight.firstIndex(where: { $0.number == number }) else { return nil }
        let content = inFlight.remove(at: index).content
        if let known = suspect?.content, known == content || passes(content, known) { suspect = nil }
        toldRefused.remove(content)
        return taken(content)
    }

    /// - Returns: What was refused, where that is news.
    mutating func refused(_ number: UInt64) -> Content? {
        guard let index = inFlight.firstIndex(where: { $0.number == number }) else { return nil }
        let content = inFlight.remove(at: index).content
        if content.place == nil {
            // Its rules may be others by the next heartbeat.
            if suspect?.content == content { suspect = nil }
            refusedNow.insert(content)
            return toldRefused.insert(content).inserted ? content : nil
        }
        giveUp(content)
        return content
    }

    // MARK: What is to be done

    /// When something is due although nothing has happened; nil also while a message has to be answered first.
    var due: MonotonicTime? { isOnTrial ? nil : [stateDue, presenceDue].compactMap { $0 }.min() }

    private var stateDue: MonotonicTime? {
        guard maySendState, let stateTime else { return nil }
        return stateTime.advanced(by: isStateNews ? Self.statePause : heartbeat)
    }

    /// Whether there is a state to send, which a broker takes, and none is on its way.
    private var maySendState: Bool {
        isStateKnown && !unwanted.contains(.state) && !refusedNow.contains(.state)
            && !inFlight.contains { $0.content == .state }
    }

    /// A cluster may tell the will of a connection after the one that took its place: that is set right with the next heartbeat.
    private var presenceDue: MonotonicTime? {
        unwanted.contains(.presence) ? nil : presenceTime?.advanced(by: heartbeat)
    }

    /// The next message that is not an event.
    mutating func nextNotice(at now: MonotonicTime) -> (number: UInt64, content: Content)? {
        guard !isOnTrial else { return nil }
        while !toGreet.isEmpty {
            let content = toGreet.removeFirst()
            if content == .presence { presenceTime = now }
            if !unwanted.contains(content) { return send(content, at: now) }
        }
        if let due = presenceDue, due <= now {
            presenceTime = now
            refusedNow = []
            return send(.presence, at: now)
        }
        guard maySendState, stateDue.map({ $0 <= now }) ?? true else { return nil }
        isStateNews = false
        stateTime = now
        return send(.state, at: now)
    }

    /// From where on events are to be sent next; `.none` within the optional is the beginning.
    var place: EventCursor? { window.last?.place ?? delivered }

    /// Whether events may be sent: a message that a connection may have ended over goes alone.
    var isOnTrial: Bool { suspect != nil && !inFlight.isEmpty }

    /// Takes note that the next event, or a gap, is on its way.
    mutating func send(_ content: Content, at now: MonotonicTime) -> (number: UInt64, content: Content) {
        lastNumber += 1
        inFlight.append((lastNumber, content, now))
        if let place = content.place { window.append((place, false)) }
        return (lastNumber, content)
    }

    // MARK: Within

    /// Whether what has arrived stands where a suspect was, or after it: that is not sent again.
    private func passes(_ content: Content, _ suspect: Content) -> Bool {
        guard let place = content.place, let old = suspect.place else { return false }
        return place >= old
    }

    private mutating func forgetFlight() {
        inFlight = []
        window = []
        toGreet = []
    }

    private mutating func giveUp(_ content: Content) {
        suspect = nil
        guard let place = content.place else {
            unwanted.insert(content)
            return
        }
        // What comes before it has arrived: it was the first on its way.
        if window.first?.place == place || window.isEmpty { delivered = max(delivered ?? place, place) }
        _ = taken(content)
    }

    private mutating func taken(_ content: Content) -> EventCursor? {
        guard let place = content.place, let index = window.firstIndex(where: { $0.place == place }) else { return nil }
        window[index].isTaken = true
        let before = delivered
        while let first = window.first, first.isTaken {
            delivered = first.place
            window.removeFirst()
        }
        return delivered == before ? nil : delivered
    }
}

extension MQTTOutbox.Content {
    /// Where it stands among the events.
    fileprivate var place: EventCursor? {
        switch self {
        case .event(let place), .gap(_, let place): place
        case .presence, .discovery, .state: nil
        }
    }
}
