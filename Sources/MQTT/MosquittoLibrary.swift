import CMosquitto
import Glibc

/// The library as a whole.
enum MosquittoLibrary {
    private static let isPrepared: Bool = mosquitto_lib_init() == CInt(MOSQ_ERR_SUCCESS.rawValue)

    /// To be called before anything else of it. It is never cleaned up: the process may end while a thread is in it.
    static func prepare() {
        _ = isPrepared
    }

    /// What a code of the library means. libmosquitto 2.0 itself calls some of those that it ends connections with "Unknown
    /// error".
    static func text(_ code: CInt) -> String {
        switch mosq_err_t(rawValue: mosq_err_t.RawValue(code)) {
        // The library loses it on some ways.
        case MOSQ_ERR_ERRNO where errno == 0: "the connection broke off, and the system gives no reason"
        case MOSQ_ERR_ERRNO: unsafe String(cString: strerror(errno))
        case MOSQ_ERR_KEEPALIVE: "the broker has not answered for longer than the keep-alive time"
        case MOSQ_ERR_LOOKUP: "the broker's name was not found"
        case MOSQ_ERR_MALFORMED_PACKET: "what came is no packet of MQTT"
        case MOSQ_ERR_TIMEOUT: "the broker has not answered in time"
        default: unsafe text(mosquitto_strerror(code))
        }
    }

    /// The text without the dot that the library ends it with.
    static func text(_ words: UnsafePointer<CChar>?) -> String {
        guard let words = unsafe words else { return "unknown" }
        let text = unsafe String(cString: words)
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}

extension CInt {
    /// Whether a call of the library went well.
    var isMosquittoSuccess: Bool { self == CInt(MOSQ_ERR_SUCCESS.rawValue) }
}
