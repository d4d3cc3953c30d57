import CMosquitto
import Glibc
import RequestEngine

/// The library's client, freed with this.
@safe
struct MosquittoHandle: ~Copyable {
    let pointer: OpaquePointer

    /// - Parameter session: Called back. It has to outlive the handle.
    init?(clientID: String, session: MQTTSession) {
        guard let pointer = unsafe mosquitto_new(clientID, true, Unmanaged.passUnretained(session).toOpaque()) else {
            return nil
        }
        unsafe self.pointer = pointer
    }

    /// - Throws: ``MQTTFailure`` where a file of the settings cannot be used.
    func use(_ settings: MQTTSettings, for broker: Broker) throws(MQTTFailure) {
        var version = CInt(settings.version == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311)
        unsafe mosquitto_opts_set(pointer, MOSQ_OPT_PROTOCOL_VERSION, &version)
        unsafe mosquitto_int_option(pointer, MOSQ_OPT_TCP_NODELAY, 1)
        setCallbacks()
        if let will = settings.will {
            let code = unsafe mosquitto_will_set(
                pointer, will.topic, CInt(will.payload.count), will.payload, 1, will.isRetained)
            guard code.isMosquittoSuccess else { throw .library(MosquittoLibrary.text(code)) }
        }
        try setPassword(settings)
        if broker.isSecure { try secure(settings, broker) }
    }

    deinit {
        unsafe mosquitto_destroy(pointer)
    }

    private func setPassword(_ settings: MQTTSettings) throws(MQTTFailure) {
        guard let user = settings.user else { return }
        let password = try settings.passwordFile.map { (path) throws(MQTTFailure) in try Self.firstLine(path) }
        let code = unsafe mosquitto_username_pw_set(pointer, user, password)
        guard code.isMosquittoSuccess else { throw .library(MosquittoLibrary.text(code)) }
    }

    private static func firstLine(_ path: String) throws(MQTTFailure) -> String {
        do throws(SecurityError) {
            let text = try FileContents.read(path, limit: 4096)
            return String(decoding: text.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        } catch {
            throw .file("the password file \(error)")
        }
    }

    private func secure(_ settings: MQTTSettings, _ broker: Broker) throws(MQTTFailure) {
        for file in [settings.caFile, settings.certificateFile, settings.keyFile].compactMap({ $0 }) {
            // The library would wait for ever at a pipe that nothing writes.
            do throws(SecurityError) { _ = try FileContents.read(file, limit: 1 << 24) } catch {
                throw .file("\(error)")
            }
        }
        // The library has to be told of some authority before it takes the system's.
        if settings.caFile == nil { unsafe mosquitto_int_option(pointer, MOSQ_OPT_TLS_USE_OS_CERTS, 1) }
        let folder = settings.caFile == nil ? "/etc/ssl/certs" : nil
        let code = unsafe mosquitto_tls_set(
            pointer, settings.caFile, folder, settings.certificateFile, settings.keyFile, nil)
        guard code.isMosquittoSuccess else { throw .file("TLS to \(broker): \(MosquittoLibrary.text(code))") }
    }

    private func setCallbacks() {
        unsafe mosquitto_connect_callback_set(pointer) { handle, object, code in
            guard let handle = unsafe handle else { return }
            unsafe session(object)?.hasConnected(handle, code: code)
        }
        unsafe mosquitto_disconnect_callback_set(pointer) { _, object, code in
            unsafe session(object)?.hasEnded(code: code)
        }
        unsafe mosquitto_publish_v5_callback_set(pointer) { _, object, id, reason, _ in
            unsafe session(object)?.hasPublished(id, reason: reason)
        }
        unsafe mosquitto_subscribe_callback_set(pointer) { _, object, _, count, granted in
            guard count > 0, let granted = unsafe granted else { return }
            if unsafe granted[0] >= 0x80 {
                unsafe session(object)?.hasRefusedSubscription()
            } else {
                unsafe session(object)?.delegate.subscribed()
            }
        }
        unsafe mosquitto_message_callback_set(pointer) { _, object, message in
            guard let message = unsafe message?.pointee, let topic = unsafe message.topic else { return }
            let payload = unsafe UnsafeRawBufferPointer(start: message.payload, count: Int(max(message.payloadlen, 0)))
            unsafe session(object)?.delegate.received(
                MQTTMessage(topic: String(cString: topic), payload: Array(payload), isRetained: message.retain))
        }
        unsafe mosquitto_log_callback_set(pointer) { _, object, level, text in
            guard level == MOSQ_LOG_ERR, let text = unsafe text else { return }
            unsafe session(object)?.complain(String(cString: text))
        }
    }
}

/// The session that the library hands back to a callback.
private func session(_ object: UnsafeMutableRawPointer?) -> MQTTSession? {
    unsafe object.map { unsafe Unmanaged<MQTTSession>.fromOpaque($0).takeUnretainedValue() }
}
