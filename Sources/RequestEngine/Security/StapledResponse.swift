internal import COpenSSL
internal import Glibc

/// Owns an OCSP response (RFC 6960) that a server has stapled to its certificate.
///
/// All of it runs inside `withOpenSSLErrors`.
@safe
struct StapledResponse: ~Copyable {
    private let response: OpaquePointer
    private let leaf: Certificate

    /// By how many seconds the clocks of two hosts may differ.
    private static let tolerance: Int64 = 300
    /// For how many seconds a response counts that does not say until when.
    private static let lifetime: Int64 = 86400

    /// Reads a response in DER that is to be about a certificate.
    init(_ der: [UInt8], about leaf: Certificate) throws(TrustError.Reason) {
        let parsed = unsafe der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return unsafe d2i_OCSP_RESPONSE(nil, &position, bytes.count)
        }
        guard let parsed = unsafe parsed else { throw .stapling(leaf, "cannot be read: \(latestOpenSSLError())") }
        defer { unsafe OCSP_RESPONSE_free(parsed) }
        guard let response = unsafe OCSP_response_get1_basic(parsed) else {
            let status = unsafe String(cString: OCSP_response_status_str(Int(OCSP_response_status(parsed))))
            throw .stapling(leaf, "says \"\(status)\"")
        }
        unsafe self.response = response
        self.leaf = leaf
    }

    deinit {
        unsafe OCSP_BASICRESP_free(response)
    }

    /// Makes sure that the issuer says "good" of the certificate.
    ///
    /// - Parameters:
    ///   - others: Certificates among which the issuer's is.
    ///   - time: When the response must count, in seconds since 1970-01-01 UTC.
    func check(issuerAmong others: [Certificate], at time: Int64) throws(TrustError.Reason) {
        guard let issuer = others.first(where: { IssuerPath.hasIssued($0, leaf) }) else {
            throw .stapling(leaf, "cannot be checked: the issuer's certificate is not known")
        }
        guard isSigned(by: issuer, at: time) else {
            throw .stapling(leaf, "is not signed by the issuer: \(latestOpenSSLError())")
        }
        guard let entry = unsafe entry(issuer) else { throw .stapling(leaf, "is about another certificate") }
        try unsafe check(entry, at: time)
    }

    /// By the issuer itself, or with a certificate that it has issued for that (RFC 6960, section 4.2.2.2).
    private func isSigned(by issuer: Certificate, at time: Int64) -> Bool {
        guard let store = try? TrustStore([issuer]), let signers = try? X509Stack([issuer]) else { return false }
        return withExtendedLifetime(store) {
            unsafe X509_VERIFY_PARAM_set_time(X509_STORE_get0_param(store.pointer), time_t(time))
            return unsafe signers.withPointer {
                unsafe OCSP_basic_verify(response, $0, store.pointer, UInt(OCSP_PARTIAL_CHAIN)) == 1
            }
        }
    }

    private func entry(_ issuer: Certificate) -> OpaquePointer? {
        guard let subject = try? X509Handle(der: leaf.der), let issuer = try? X509Handle(der: issuer.der) else {
            return nil
        }
        let entries = unsafe (0..<OCSP_resp_count(response)).map { unsafe OCSP_resp_get0(response, $0) }
        return unsafe subject.withPointer { subject in
            unsafe issuer.withPointer { issuer in
                unsafe entries.first { unsafe netwatch_ocsp_entry_is_about($0, subject, issuer) == 1 } ?? nil
            }
        }
    }

    private func check(_ entry: OpaquePointer, at time: Int64) throws(TrustError.Reason) {
        var thisUpdate: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        var nextUpdate: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        let status = unsafe OCSP_single_get0_status(entry, nil, nil, &thisUpdate, &nextUpdate)
        guard status != V_OCSP_CERTSTATUS_REVOKED else { throw .revoked(subject: leaf.subject) }
        guard status == V_OCSP_CERTSTATUS_GOOD else { throw .stapling(leaf, "says that it is not known") }
        guard let start = unsafe Certificate.seconds(thisUpdate), start <= time + Self.tolerance else {
            throw .stapling(leaf, "does not count yet")
        }
        guard let end = unsafe nextUpdate == nil ? start + Self.lifetime : Certificate.seconds(nextUpdate),
            time <= end + Self.tolerance
        else { throw .stapling(leaf, "does not count any more") }
    }
}

extension TrustError.Reason {
    static func stapling(_ leaf: Certificate, _ problem: String) -> Self {
        .revocationUnknown(subject: leaf.subject, detail: "the OCSP response stapled to it \(problem)")
    }
}
