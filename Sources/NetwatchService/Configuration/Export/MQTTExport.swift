package import MQTT
import Netwatch

/// Where a service publishes its events over MQTT: the section `service.mqtt`.
package struct MQTTExport: Hashable, Sendable {
    /// Tried in turn.
    package var brokers: [Broker]
    /// What topics begin with.
    package var prefix = "netwatch"
    package var version = MQTTSettings.Version.v311
    package var caFile: String?
    package var certificateFile: String?
    package var keyFile: String?
    package var user: String?
    package var passwordFile: String?
    /// How often the state is published although nothing has changed.
    package var heartbeat = Duration.seconds(60)
    /// The prefix by which Home Assistant finds devices; nil to tell it nothing.
    package var homeAssistant: String?

    package init(brokers: [Broker]) {
        self.brokers = brokers
    }

    /// - Throws: ``ConfigurationError`` for a file that this user may not read.
    func checkFiles(at key: String) throws(ConfigurationError) {
        let files: [(key: String, path: String?)] = [
            ("caFile", caFile), ("certificateFile", certificateFile), ("keyFile", keyFile),
            ("passwordFile", passwordFile),
        ]
        try ConfigurationError.checkReadable(files, at: key)
    }
}
