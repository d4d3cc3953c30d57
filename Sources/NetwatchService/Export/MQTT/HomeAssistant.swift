import JSON
import MQTT
import Netwatch

/// What Home Assistant is told, so that it shows a host without being configured: whether it is connected to what it needs, and
/// by which medium (https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery).
struct HomeAssistant: Sendable {
    let messages: [MQTTMessage]

    init(prefix: String, topics: FleetTopics, origin: EventOrigin) {
        let connectivity: JSONObject = [
            "name": "Connectivity", "device_class": "connectivity",
            // What is not known is neither; Home Assistant takes "None" for that.
            "value_template": """
            {{ 'ON' if value_json.connectivity == 'full' else 'OFF' if value_json.connectivity != 'unknown' \
            or value_json.reachability == 'none' else 'None' }}
            """,
        ]
        let medium: JSONObject = [
            "name": "Medium", "icon": "mdi:lan", "value_template": "{{ value_json.reachability }}",
        ]
        let device: JSONObject = [
            "identifiers": ["netwatch_\(origin.id)"], "name": .string(origin.name), "manufacturer": "netwatch",
            "sw_version": .string(NetwatchVersion.current),
        ]
        messages = [("binary_sensor", "connectivity", connectivity), ("sensor", "medium", medium)].map {
            component, object, members in
            var members = members
            members["unique_id"] = "netwatch_\(origin.id)_\(object)"
            members["object_id"] = .string("netwatch_\(origin.name)_\(object)")
            members["state_topic"] = .string(topics.state)
            members["availability_topic"] = .string(topics.online)
            members["availability_template"] = "{{ 'online' if value == 'online' else 'offline' }}"
            members["device"] = .object(device)
            return MQTTMessage(
                topic: "\(prefix)/\(component)/netwatch_\(origin.id)/\(object)/config",
                payload: Array(JSONValue.object(members).text(options: .init(escapesSlashes: false)).utf8),
                isRetained: true)
        }
    }
}
