internal import COpenSSL
internal import Synchronization

/// The values of certificates that were met lately: servers show the same ones again and again, and their facts are read
/// once.
///
/// It may be used from any thread.
final class KnownCertificates: Sendable {
    private let values = Mutex<[[UInt8]: Certificate]>([:])
    private static let limit = 128

    /// The value of a certificate, which stays the caller's. Runs inside `withOpenSSLErrors`.
    func value(of x509: OpaquePointer) throws(SecurityError) -> Certificate {
        let der = try unsafe Certificate.der(of: x509)
        if let known = values.withLock({ $0[der] }) { return known }
        let value = try unsafe Certificate(x509: x509, der: der)
        values.withLock { values in
            // Servers without end must not take memory without end.
            if values.count >= Self.limit { values = [:] }
            values[der] = value
        }
        return value
    }
}
