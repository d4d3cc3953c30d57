import CMosquitto
import EventLoop
import Glibc

/// One connection to one broker, from the attempt to its end, on the client's thread. What the library would keep beyond it is
/// the delegate's: another broker gets what this one has not acknowledged.
final class MQTTSession {
    let broker: Broker
    let settings: MQTTSettings
    let delegate: any MQTTDelegate
    private let waker: Waker
    /// Whether the broker is looked for by IPv4 only.
    private let isOnlyIPv4: Bool
    /// Whether it may be given up for another way. The attempt after one that was is left its time: ways may change for long.
    private let mayBeOvertaken: Bool
    private let begin = MonotonicTime.now
    /// Since when the broker has taken the connection.
    private var connectedAt: MonotonicTime?
    /// How long the connection has stood; nil where it never did.
    private(set) var standingTime: Duration?
    /// What waits for the broker's word: the library's number, the delegate's, and since when.
    private var inFlight: [(id: CInt, number: UInt64, since: MonotonicTime)] = []
    /// Whether the attempt was given up, because the way to the broker is another one than when it began.
    private(set) var isOvertaken = false
    /// Why it is over, as a callback says.
    private var verdict: MQTTFailure?
    /// How many of the subscriptions the broker has refused.
    private var refusedSubscriptions = 0
    /// What the library says last about TLS.
    private var lastComplaint: String?

    init(
        _ broker: Broker, _ settings: MQTTSettings, _ delegate: any MQTTDelegate, _ waker: Waker,
        isOnlyIPv4: Bool, mayBeOvertaken: Bool
    ) {
        self.isOnlyIPv4 = isOnlyIPv4
        self.mayBeOvertaken = mayBeOvertaken
        self.broker = broker
        self.settings = settings
        self.delegate = delegate
        self.waker = waker
    }

    /// Runs until the connection ends or is to end.
    ///
    /// - Returns: Why; nil where that was asked for.
    func run() -> MQTTFailure? {
        do throws(MQTTFailure) {
            guard let handle = MosquittoHandle(clientID: settings.clientID, session: self) else {
                throw .library("no memory")
            }
            try handle.use(settings, for: broker)
            try connect(handle)
            while true {
                let requests = waker.take()
                if requests.contains(.stop) { break }
                isOvertaken = mayBeOvertaken && connectedAt == nil && requests.contains(.retry)
                if isOvertaken { return .unreachable(broker, "the way to it has changed meanwhile") }
                try turn(handle)
            }
            leave(handle)
            return nil
        } catch {
            standingTime = connectedAt.map { $0.duration(to: .now) }
            return error
        }
    }

    private func connect(_ handle: borrowing MosquittoHandle) throws(MQTTFailure) {
        let alive = max(CInt(clamping: settings.keepAlive.components.seconds), 5)
        // The library goes on to the next address where it cannot bind for one, and where a connection fails it does not.
        let code = unsafe mosquitto_connect_bind_async(
            handle.pointer, broker.host, CInt(broker.port), alive, isOnlyIPv4 ? "0.0.0.0" : nil)
        guard code.isMosquittoSuccess else { throw failure(code) }
    }

    private func turn(_ handle: borrowing MosquittoHandle) throws(MQTTFailure) {
        if connectedAt != nil { try send(handle) }
        let descriptor = unsafe mosquitto_socket(handle.pointer)
        guard descriptor >= 0 else { throw verdict ?? failure(CInt(MOSQ_ERR_CONN_LOST.rawValue)) }
        let wanted = unsafe CInt(POLLIN) | (mosquitto_want_write(handle.pointer) ? CInt(POLLOUT) : 0)
        let ready = waker.wait(descriptor, for: wanted, milliseconds: milliseconds(pause))
        if ready & ~CInt(POLLOUT) != 0 { try unsafe check(mosquitto_loop_read(handle.pointer, 1)) }
        if ready & CInt(POLLOUT) != 0 { try unsafe check(mosquitto_loop_write(handle.pointer, 1)) }
        try unsafe check(mosquitto_loop_misc(handle.pointer))
        if let verdict { throw verdict }
        let waiting = connectedAt == nil ? begin : inFlight.first?.since
        if let waiting, waiting.duration(to: .now) > settings.patience {
            throw .silent(broker, settings.patience)
        }
    }

    /// Until the next look: the library wants one a second.
    private var pause: Duration {
        guard connectedAt != nil, inFlight.count < MQTTClient.mostInFlight, let due = delegate.due() else {
            return .seconds(1)
        }
        return min(MonotonicTime.now.duration(to: due), .seconds(1))
    }

    private func send(_ handle: borrowing MosquittoHandle) throws(MQTTFailure) {
        while inFlight.count < MQTTClient.mostInFlight, let (number, message) = delegate.next(at: .now) {
            var id: CInt = 0
            // With QoS 1: the broker acknowledges it.
            let code = unsafe mosquitto_publish(
                handle.pointer, &id, message.topic, CInt(clamping: message.payload.count), message.payload, 1,
                message.isRetained)
            switch mosq_err_t(rawValue: code) {
            case MOSQ_ERR_SUCCESS: break
            case MOSQ_ERR_PAYLOAD_SIZE, MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_INVAL, MOSQ_ERR_MALFORMED_UTF8,
                MOSQ_ERR_QOS_NOT_SUPPORTED, MOSQ_ERR_RETAIN_NOT_SUPPORTED:
                delegate.refused(number, reason: MosquittoLibrary.text(code))
                continue
            default: throw failure(code)
            }
            inFlight.append((id, number, .now))
        }
    }

    /// Says what is still to be said, and goodbye: the broker then publishes no will.
    private func leave(_ handle: borrowing MosquittoHandle) {
        if connectedAt != nil, let last = settings.farewell {
            _ = unsafe mosquitto_publish(
                handle.pointer, nil, last.topic, CInt(last.payload.count), last.payload, 0, last.isRetained)
        }
        unsafe mosquitto_disconnect(handle.pointer)
        let end = MonotonicTime.now.advanced(by: .seconds(1))
        while unsafe mosquitto_socket(handle.pointer) >= 0, unsafe mosquitto_want_write(handle.pointer),
            MonotonicTime.now < end
        {
            // What is asked of the client does not cut it short: it is ending already.
            var entry = unsafe pollfd(fd: mosquitto_socket(handle.pointer), events: Int16(POLLOUT), revents: 0)
            _ = unsafe poll(&entry, 1, milliseconds(MonotonicTime.now.duration(to: end)))
            guard unsafe mosquitto_loop_write(handle.pointer, 1).isMosquittoSuccess else { return }
        }
    }

    private func check(_ code: CInt) throws(MQTTFailure) {
        guard !code.isMosquittoSuccess else { return }
        throw verdict ?? failure(code)
    }

    private func failure(_ code: CInt) -> MQTTFailure {
        let words = MosquittoLibrary.text(code)
        let ofTLS = [CInt(MOSQ_ERR_TLS.rawValue), CInt(MOSQ_ERR_TLS_HANDSHAKE.rawValue)]
        if ofTLS.contains(code) { return .untrusted(broker, lastComplaint ?? words) }
        guard connectedAt != nil else { return .unreachable(broker, lastComplaint ?? words) }
        if Self.refusals.contains(code) { return .closed(broker, words) }
        return code == CInt(MOSQ_ERR_CONN_LOST.rawValue) ? .closed(broker) : .lost(broker, words)
    }

    /// The reasons for which a broker of MQTT 5 closes the connection over a message (MQTT 5, 3.14.2.1), and not because it
    /// ends or is busy.
    private static let refusals: Set<CInt> = [
        0x80, 0x81, 0x82, 0x83, 0x87, 0x90, 0x94, 0x95, 0x99, 0x9A, 0x9B,
    ]

    // MARK: Callbacks

    func hasConnected(_ handle: OpaquePointer, code: CInt) {
        guard code == 0 else {
            let words = unsafe settings.version == .v5 ? mosquitto_reason_string(code) : mosquitto_connack_string(code)
            verdict = unsafe .refused(broker, MosquittoLibrary.text(words))
            return
        }
        connectedAt = .now
        // With QoS 0, since acknowledgements would slow the broker down to their pace, and it drops what piles up meanwhile. They
        // would bring nothing: a session that ends with its connection has nothing kept for it.
        for filter in settings.subscriptions { _ = unsafe mosquitto_subscribe(handle, nil, filter, 0) }
        delegate.connected(to: broker)
    }

    func hasPublished(_ id: CInt, reason: CInt) {
        guard let index = inFlight.firstIndex(where: { $0.id == id }) else { return }
        let number = inFlight.remove(at: index).number
        guard reason < 0x80 else {
            return unsafe delegate.refused(number, reason: MosquittoLibrary.text(mosquitto_reason_string(reason)))
        }
        delegate.acknowledged(number)
    }

    /// Takes note that the broker has refused a subscription. Where it grants one, what that brings is better than nothing.
    func hasRefusedSubscription() {
        refusedSubscriptions += 1
        guard refusedSubscriptions == settings.subscriptions.count else { return }
        verdict = .refused(broker, "it lets this client read none of the topics")
    }

    func hasEnded(code: CInt) {
        guard verdict == nil, code != 0 else { return }
        verdict = failure(code)
    }

    func complain(_ text: String) {
        lastComplaint = text
    }
}
