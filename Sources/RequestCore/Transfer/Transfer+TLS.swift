import CCurl
import COpenSSL

extension Transfer {
    /// Notes what the handshake came to, while the connection is at hand.
    func collectTLSFacts() {
        guard let session = OpaquePointer(netwatch_easy_getinfo_tls(easy.handle)) else { return }
        metrics.tlsVersion = String(cString: SSL_get_version(session))
        metrics.tlsCipher = SSL_get_current_cipher(session).map { String(cString: SSL_CIPHER_get_name($0)) }
    }
}
