internal import COpenSSL
internal import EventLoop

/// OpenSSL as a whole: told, once for the process, how it is to end.
package enum OpenSSLLibrary {
    /// The first call of OpenSSL decides (OPENSSL_init_crypto(3)). Where other code in this process was first, its exit
    /// handler is there already; ours comes later and so runs before it, when the loops' threads still let go of connections.
    private static let isPrepared: Bool = {
        let isPrepared = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
        EventLoop.haltAllAtExit()
        return isPrepared
    }()

    /// Keeps OpenSSL from tidying itself up at exit(3), on one thread, while loops on others still use it. To be called
    /// before anything of OpenSSL's is.
    package static func prepare() {
        _ = isPrepared
    }
}
