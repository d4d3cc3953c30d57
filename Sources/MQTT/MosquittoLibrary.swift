import CMosquitto
import Glibc

/// The library as a whole.
enum MosquittoLibrary {
    private static let isPrepared: Bool = mosquitto_lib_init() == CInt(MOSQ_ERR_SUCCESS.rawValue)

    /// To be called before anything else of it. It is never cleaned up: the process may end while a thread is in it.
    static func prepare() {
        _ = isPrepared
    }

    /// What a code of the library means.
    static func text(_ code: CInt) -> String {
        if code == CInt(MOSQ_ERR_ERRNO.rawValue) { return String(cString: strerror(errno)) }
        return text(mosquitto_strerror(code))
    }

    /// The text without the dot that the library ends it with.
    static func text(_ words: UnsafePointer<CChar>?) -> String {
        guard let words else { return "unknown" }
        let text = String(cString: words)
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}

extension CInt {
    /// Whether a call of the library went well.
    var isMosquittoSuccess: Bool { self == CInt(MOSQ_ERR_SUCCESS.rawValue) }
}
