package import EventLoop

/// What a client's connection is for. It is called on the client's thread only, one call after the other.
package protocol MQTTDelegate: AnyObject, Sendable {
    /// A broker has taken the connection: nothing is on its way yet.
    func connected(to broker: Broker)
    /// The broker has granted a subscription: what it holds for it is on its way.
    func subscribed()
    /// There is no connection, or none any more. What was not acknowledged is to be sent anew.
    func failed(_ failure: MQTTFailure)
    /// What is to be sent next, with a number of its own for ``acknowledged(_:)``; nil while there is nothing. Asked while
    /// fewer than ``MQTTClient/mostInFlight`` are on their way.
    func next(at now: MonotonicTime) -> (number: UInt64, message: MQTTMessage)?
    /// When ``next(at:)`` has something although nothing has happened; nil for never.
    func due() -> MonotonicTime?
    /// The broker has taken a message.
    func acknowledged(_ number: UInt64)
    /// The broker does not want a message (MQTT 5).
    func refused(_ number: UInt64, reason: String)
    /// A message has come that was subscribed to.
    func received(_ message: MQTTMessage)
}

extension MQTTDelegate {
    package func subscribed() {}
    package func received(_ message: MQTTMessage) {}
    package func due() -> MonotonicTime? { nil }
}
