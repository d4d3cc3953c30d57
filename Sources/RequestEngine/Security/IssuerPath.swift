internal import COpenSSL

/// The certificates of a presented chain that signatures lead to from the leaf, without asking which of them is trusted.
///
/// A server can put any certificate into the list that it presents. Where no anchor decides, a pinned key therefore counts
/// only if its owner has signed the leaf, directly or through authorities.
struct IssuerPath {
    /// From the leaf upwards.
    let certificates: [Certificate]

    init(_ chain: borrowing PresentedChain) {
        var path: [Int] = chain.stack.count > 0 ? [0] : []
        while let last = path.last, let next = Self.issuer(of: last, in: chain, except: path) {
            path.append(next)
        }
        certificates = path.map { chain.certificates[$0] }
    }

    /// How many of a chain are looked at. Each is compared with each, on the loop's thread, and a server may send hundreds; no
    /// honest chain has that many.
    private static let mostCertificates = 32

    private static func issuer(of index: Int, in chain: borrowing PresentedChain, except path: [Int]) -> Int? {
        for candidate in 0..<min(chain.stack.count, mostCertificates) where !path.contains(candidate) {
            if unsafe hasIssued(chain.stack[candidate], chain.stack[index]) { return candidate }
        }
        return nil
    }

    /// Whether one certificate's key has signed the other.
    static func hasIssued(_ issuer: Certificate, _ subject: Certificate) -> Bool {
        guard let issuer = try? X509Handle(der: issuer.der), let subject = try? X509Handle(der: subject.der) else {
            return false
        }
        return unsafe issuer.withPointer { issuer in unsafe subject.withPointer { unsafe hasIssued(issuer, $0) } }
    }

    private static func hasIssued(_ issuer: OpaquePointer?, _ subject: OpaquePointer?) -> Bool {
        unsafe X509_check_ca(issuer) == 1 && X509_check_issued(issuer, subject) == X509_V_OK
            && X509_verify(subject, X509_get0_pubkey(issuer)) == 1
    }
}
