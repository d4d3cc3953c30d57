import MQTT
import Testing

@Suite("Brokers")
struct BrokerTests {
    @Test(
        "are read from their addresses",
        arguments: [
            ("mqtts://b.example", "mqtts://b.example:8883"), ("mqtt://b.example", "mqtt://b.example:1883"),
            ("mqtt://10.0.0.1:18830/", "mqtt://10.0.0.1:18830"), ("MQTTS://[2001:db8::1]:1", "mqtts://[2001:db8::1]:1"),
            ("ssl://b.example", "mqtts://b.example:8883"),
        ])
    func good(text: String, meaning: String) throws {
        #expect("\(try Broker(text))" == meaning)
    }

    @Test(
        "are refused where they are none, without repeating what may be a password",
        arguments: [
            "b.example", "http://b.example", "mqtt://", "mqtt://b:0", "mqtt://b:65536", "mqtt://b:x", "mqtt://b/topic",
            "mqtt://me:secret@b.example", "mqtt://[::1", "mqtt://a b",
        ])
    func bad(text: String) {
        do throws(Broker.Mistake) {
            _ = try Broker(text)
            Issue.record("\(text) was taken")
        } catch {
            #expect(!"\(error)".contains("secret"))
        }
    }

    private static func rotation(_ count: Int) -> BrokerRotation {
        BrokerRotation(
            MQTTSettings(
                brokers: (1...UInt16(count)).map { Broker(host: "b", port: $0, isSecure: true) }, clientID: "x"))
    }

    @Test("are tried in turn without a pause, and a round of failures doubles the pause up to a minute")
    func pauses() {
        var rotation = Self.rotation(3)
        var pauses: [Duration] = []
        for _ in 0..<24 { pauses.append(rotation.fail(after: nil, chance: 1)) }
        let rounds = [1, 2, 4, 8, 16, 32, 60, 60].flatMap { [Duration.zero, .zero, .seconds($0)] }
        #expect(pauses == rounds)
        #expect(rotation.fail(after: nil, chance: 1) == .zero && rotation.index == 1)
    }

    @Test("that are lost are left over a second, and half of each pause is left to chance")
    func chance() {
        var rotation = Self.rotation(1)
        #expect(rotation.fail(after: .seconds(60), chance: 0.25) == .milliseconds(250))
        #expect(rotation.fail(after: nil, chance: 0) == .milliseconds(500))
        #expect(rotation.fail(after: .seconds(1), chance: 0) == .seconds(1))
        rotation.forgive()
        #expect(rotation.fail(after: nil, chance: 0) == .milliseconds(500))
    }
}
