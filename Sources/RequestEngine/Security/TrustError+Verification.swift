internal import COpenSSL

extension TrustError.Reason {
    /// What OpenSSL's verdict on a chain means.
    init(_ failure: ChainVerification.Failure, chain: [Certificate], host: String?) {
        if let shortage = failure.shortage {
            self = .hostShortage(shortage)
            return
        }
        let certificate = failure.certificate ?? chain.first
        let subject = certificate?.subject ?? ""
        let detail = unsafe String(cString: X509_verify_cert_error_string(Int(failure.code)))
        self =
            switch failure.code {
            case X509_V_ERR_CERT_HAS_EXPIRED:
                .expired(subject: subject, notAfter: certificate?.notAfter ?? 0)
            case X509_V_ERR_CERT_NOT_YET_VALID:
                .notYetValid(subject: subject, notBefore: certificate?.notBefore ?? 0)
            case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
                .wrongHost(host: host, chain: chain)
            case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
                X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_UNTRUSTED:
                .unknownIssuer(issuer: certificate?.issuer ?? "")
            case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
                .selfSigned(subject: subject)
            case X509_V_ERR_CERT_REVOKED:
                .revoked(subject: subject)
            case X509_V_ERR_UNABLE_TO_GET_CRL, X509_V_ERR_UNABLE_TO_GET_CRL_ISSUER, X509_V_ERR_CRL_HAS_EXPIRED,
                X509_V_ERR_CRL_NOT_YET_VALID, X509_V_ERR_CRL_SIGNATURE_FAILURE:
                .revocationUnknown(subject: subject, detail: detail)
            case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK:
                .weak(subject: subject, detail: detail)
            case X509_V_ERR_INVALID_PURPOSE, X509_V_ERR_INVALID_CA, X509_V_ERR_PATH_LENGTH_EXCEEDED:
                .wrongPurpose(subject: subject, detail: detail)
            default:
                .other(subject: subject, code: Int(failure.code), detail: detail)
            }
    }

    static func wrongHost(host: String?, chain: [Certificate]) -> Self {
        .wrongHost(host ?? "", names: (chain.first?.names ?? []).map(\.description))
    }

    /// The code that makes OpenSSL end the handshake with the alert that fits (`ssl_x509err2alert`).
    var verificationCode: CInt {
        switch self {
        case .expired: X509_V_ERR_CERT_HAS_EXPIRED
        case .notYetValid: X509_V_ERR_CERT_NOT_YET_VALID
        case .wrongHost: X509_V_ERR_HOSTNAME_MISMATCH
        case .unknownIssuer: X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
        case .selfSigned: X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT
        case .revoked: X509_V_ERR_CERT_REVOKED
        case .revocationUnknown: X509_V_ERR_UNABLE_TO_GET_CRL
        case .weak: X509_V_ERR_EE_KEY_TOO_SMALL
        case .wrongPurpose: X509_V_ERR_INVALID_PURPOSE
        case .pinMismatch, .noPins, .invalidPolicy, .noCertificate, .malformed: X509_V_ERR_APPLICATION_VERIFICATION
        case .hostShortage: X509_V_ERR_OUT_OF_MEM
        case .other(_, let code, _): CInt(clamping: code)
        }
    }
}
