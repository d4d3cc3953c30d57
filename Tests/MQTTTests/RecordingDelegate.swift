import EventLoop
import MQTT
import Synchronization

/// Sends what it is given, and notes what happens.
final class RecordingDelegate: MQTTDelegate {
    private struct State {
        var toSend: [MQTTMessage] = []
        var sent: [UInt64: MQTTMessage] = [:]
        var number: UInt64 = 0
        var connections: [Broker] = []
        var failures: [MQTTFailure] = []
        var taken: [MQTTMessage] = []
        var received: [MQTTMessage] = []
    }

    private let state = Mutex(State())

    var connections: [Broker] { state.withLock { $0.connections } }
    var failures: [MQTTFailure] { state.withLock { $0.failures } }
    var taken: [MQTTMessage] { state.withLock { $0.taken } }
    var received: [MQTTMessage] { state.withLock { $0.received } }

    func add(_ messages: [MQTTMessage]) {
        state.withLock { $0.toSend += messages }
    }

    func connected(to broker: Broker) { state.withLock { $0.connections.append(broker) } }

    /// What was not acknowledged is sent anew.
    func failed(_ failure: MQTTFailure) {
        state.withLock { state in
            state.failures.append(failure)
            state.toSend = state.sent.sorted { $0.key < $1.key }.map(\.value) + state.toSend
            state.sent = [:]
        }
    }

    func next(at now: MonotonicTime) -> (number: UInt64, message: MQTTMessage)? {
        state.withLock { state in
            guard !state.toSend.isEmpty else { return nil }
            state.number += 1
            let message = state.toSend.removeFirst()
            state.sent[state.number] = message
            return (state.number, message)
        }
    }

    func acknowledged(_ number: UInt64) {
        state.withLock { state in
            if let message = state.sent.removeValue(forKey: number) { state.taken.append(message) }
        }
    }

    func refused(_ number: UInt64, reason: String) {
        state.withLock { $0.sent[number] = nil }
    }

    func received(_ message: MQTTMessage) { state.withLock { $0.received.append(message) } }
}
