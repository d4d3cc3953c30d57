import EventLoop
import Fleet
import MQTT
import Synchronization

/// Takes in what the hosts of a fleet publish, on the client's thread, and holds what is known of them.
final class FleetListener: MQTTDelegate {
    /// The topics of a fleet end so.
    private enum Kind: String, CaseIterable {
        case online, state, events
    }

    /// Whether there is a broker.
    enum Link: Hashable, Sendable {
        case none(String)
        case connected(String)
    }

    private struct State {
        var reducer: FleetReducer
        var link: Link
        var hasConnected = false
        /// When the connection broke off: of what happens meanwhile nothing is known.
        var lostAt: Double?
        var lastMessage: MonotonicTime?
        var unreadable = 0
        /// The wall clock less the monotonic one: it is another after a suspend, and where the clock was set.
        var offset: Double?

        /// Notes where this reader was asleep, or its clock was set: what hosts have said since is not known yet.
        mutating func noticeJump() {
            let new = FleetListener.now - Double(MonotonicTime.now.nanoseconds) / 1e9
            defer { offset = new }
            guard let offset, abs(new - offset) > FleetListener.jump else { return }
            if lostAt != nil { lostAt = FleetListener.now }
            reducer.reduce(.resumption, at: FleetListener.now)
        }
    }

    /// No host has more to say: the state of ten thousand targets is a part of it.
    private static let mostBytes = 16 << 20
    /// Seconds that the clocks may differ by from one look to the next.
    private static let jump = 5.0

    private let prefixLevels: Int
    private let state: Mutex<State>

    /// - Parameter broker: The first that is tried.
    init(prefix: String, settings: FleetReducer.Settings, broker: Broker?) {
        prefixLevels = prefix.split(separator: "/").count
        // It is tried from the first moment on, and may take the connection and say nothing.
        let words = broker.map { "\($0) has not answered yet" } ?? "none is named"
        state = Mutex(State(reducer: FleetReducer(settings), link: .none(words)))
    }

    static func filters(prefix: String) -> [String] { Kind.allCases.map { "\(prefix)/+/\($0)" } }

    /// How long nothing has come, as long as there is a connection; nil before the broker has granted to read anything.
    var quietTime: Duration? {
        state.withLock { state in
            guard case .connected = state.link else { return nil }
            return state.lastMessage.map { $0.duration(to: .now) }
        }
    }

    /// What is known now.
    func view(hostsAlone most: Int) -> FleetView {
        // A copy: to look at a hundred thousand hosts takes longer than what comes may wait.
        let (reducer, time, link) = state.withLock { state in
            state.noticeJump()
            return (state.reducer, state.lostAt ?? Self.now, state.link)
        }
        return FleetView(reducer, at: time, hostsAlone: most, link: link)
    }

    // MARK: MQTTDelegate

    func connected(to broker: Broker) {
        state.withLock { state in
            state.link = .connected("\(broker)")
            // The way to the broker and back may take longer than a broker that has said all is listened to.
            state.lastMessage = nil
            if state.hasConnected { state.reducer.reduce(.resumption, at: Self.now) }
            state.hasConnected = true
            state.lostAt = nil
        }
    }

    func subscribed() {
        state.withLock { $0.lastMessage = .now }
    }

    func failed(_ failure: MQTTFailure) {
        state.withLock { state in
            state.link = .none("\(failure)")
            if state.hasConnected { state.lostAt = state.lostAt ?? Self.now }
        }
    }

    func next(at now: MonotonicTime) -> (number: UInt64, message: MQTTMessage)? { nil }
    func acknowledged(_ number: UInt64) {}
    func refused(_ number: UInt64, reason: String) {}

    func received(_ message: MQTTMessage) {
        let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count == prefixLevels + 2, let kind = levels.last.flatMap({ Kind(rawValue: String($0)) }) else {
            return
        }
        let isReadable = message.payload.count <= Self.mostBytes
        let input = isReadable ? input(kind, String(levels[levels.count - 2]), message) : nil
        state.withLock { state in
            state.lastMessage = .now
            state.noticeJump()
            guard let input else {
                state.unreadable += 1
                return
            }
            state.reducer.reduce(input, at: Self.now)
        }
    }

    private func input(_ kind: Kind, _ host: String, _ message: MQTTMessage) -> FleetReducer.Input? {
        guard !message.payload.isEmpty else { return kind == .events ? nil : .removal(host) }
        guard kind == .online else {
            return HostReport(json: message.payload).map {
                .report(host, $0, isRetained: message.isRetained, isState: kind == .state)
            }
        }
        return Presence(rawValue: String(decoding: message.payload, as: UTF8.self))
            .map { .presence(host, $0, isRetained: message.isRetained) }
    }

    private static var now: Double { Double(TimeText.seconds) }
}
