internal import Connectivity
internal import RequestEngine

extension CertificateFacts {
    init(_ certificate: Certificate) {
        self.init(
            subject: certificate.subject.shortened, issuer: certificate.issuer.shortened,
            notBefore: certificate.notBefore, notAfter: certificate.notAfter)
    }
}
