/// How a client reaches its brokers, and as what.
package struct MQTTSettings: Hashable, Sendable {
    /// The version of the protocol.
    package enum Version: String, Hashable, Sendable, CaseIterable {
        case v311 = "3.1.1"
        case v5 = "5"
    }

    /// Tried in turn; at least one.
    package var brokers: [Broker]
    /// By which a broker knows the client again.
    package var clientID: String
    package var version = Version.v311
    package var user: String?
    /// A file that begins with the password. It is read anew for each connection.
    package var passwordFile: String?
    /// A PEM file of the authorities to trust; nil for the system's.
    package var caFile: String?
    /// The client's certificate and its key, PEM.
    package var certificateFile: String?
    package var keyFile: String?
    /// What the broker publishes when the connection breaks off.
    package var will: MQTTMessage?
    /// What is published last where the connection is ended on purpose, when no will is.
    package var farewell: MQTTMessage?
    /// The filters of the topics to be received.
    package var subscriptions: [String] = []
    /// The shortest that the library takes: a broker without its leader stays connected and does not answer.
    package var keepAlive = Duration.seconds(5)
    /// How long a broker may take to accept the connection, and then each message.
    package var patience = Duration.seconds(15)
    /// The first pause after all brokers have failed; each further one is twice as long.
    package var firstPause = Duration.seconds(1)
    package var longestPause = Duration.seconds(60)
    /// Whether everything else on the host comes first: what is sent is the least of what a program does.
    package var goesLast = true

    package init(brokers: [Broker], clientID: String) {
        self.brokers = brokers
        self.clientID = clientID
    }
}

/// A message on a topic.
package struct MQTTMessage: Hashable, Sendable {
    package var topic: String
    package var payload: [UInt8]
    /// Whether the broker keeps it for later subscribers. Of one that was received: whether it had been kept.
    package var isRetained: Bool

    package init(topic: String, payload: [UInt8], isRetained: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
    }
}
