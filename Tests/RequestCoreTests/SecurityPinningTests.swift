import Foundation
import RequestCore
import TestSupport
import Testing

@Suite("Pinning on a chain")
struct SecurityPinningTests {
    let authority: CertificateAuthority
    let leaf: IssuedCertificate
    let chain: [Certificate]
    /// Leaf, intermediate, root.
    let members: [Certificate]

    init() throws {
        authority = try CertificateAuthority()
        leaf = try authority.issue("server")
        chain = try Certificate.certificates(file: leaf.chainFile)
        members = try chain + Certificate.certificates(file: authority.rootFile)
    }

    private func policy(
        _ mode: SecurityPolicy.PinningMode, _ pins: [Certificate], _ change: (inout SecurityPolicy) -> Void = { _ in }
    ) -> SecurityPolicy {
        var policy = SecurityPolicy(pinningMode: mode, pinnedCertificates: pins, anchors: .file(authority.rootFile))
        change(&policy)
        return policy
    }

    private func reason(
        _ policy: SecurityPolicy, _ chain: [Certificate]? = nil, host: String? = "localhost"
    ) throws -> TrustError.Reason? {
        let evaluator = try TrustEvaluator(policy)
        do throws(TrustError) {
            _ = try evaluator.evaluate(chain ?? self.chain, host: host)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(
        "a pin of the leaf, the intermediate or the root passes, also among others",
        arguments: [SecurityPolicy.PinningMode.certificate, .publicKey], [0, 1, 2])
    func anywhere(mode: SecurityPolicy.PinningMode, index: Int) throws {
        let impostor = try CertificateAuthority()
        let other = try impostor.certificates(impostor.rootFile)
        #expect(try reason(policy(mode, [members[index]])) == nil)
        #expect(try reason(policy(mode, other + [members[index]])) == nil)
    }

    @Test(
        "pins that are not in the chain do not pass", arguments: [SecurityPolicy.PinningMode.certificate, .publicKey])
    func mismatch(mode: SecurityPolicy.PinningMode) throws {
        let sibling = try Certificate.certificates(file: authority.issue("server").file)
        #expect(try reason(policy(mode, sibling)) == .pinMismatch)
        #expect(try reason(policy(mode, sibling) { $0.allowsInvalidCertificates = true }) == .pinMismatch)
    }

    @Test("no pins never pass", arguments: [SecurityPolicy.PinningMode.certificate, .publicKey])
    func empty(mode: SecurityPolicy.PinningMode) throws {
        #expect(try reason(policy(mode, [])) == .noPins)
        #expect(try reason(policy(mode, []) { $0.allowsInvalidCertificates = true }, host: nil) == .noPins)
        #expect(try reason(policy(mode, []) { $0.validatesDomainName = false }) == .noPins)
    }

    @Test("a pin does not excuse an untrusted chain", arguments: [SecurityPolicy.PinningMode.certificate, .publicKey])
    func untrusted(mode: SecurityPolicy.PinningMode) throws {
        let policy = policy(mode, [members[0]]) { $0.anchors = .system }
        #expect(try reason(policy) == .unknownIssuer(issuer: "CN=Test Root"))
    }

    @Test(
        "with invalid chains allowed the pin decides, and still the host",
        arguments: [SecurityPolicy.PinningMode.certificate, .publicKey], [0, 1])
    func untrustedAllowed(mode: SecurityPolicy.PinningMode, index: Int) throws {
        let lax = policy(mode, [members[index]]) {
            $0.anchors = .system
            $0.allowsInvalidCertificates = true
        }
        #expect(try reason(lax) == nil)
        #expect(try reason(lax, host: "other") == .wrongHost("other", names: ["localhost", "127.0.0.1"]))
        var laxer = lax
        laxer.validatesDomainName = false
        #expect(try reason(laxer, host: "other") == nil)
    }

    @Test("a pinned certificate must be valid in time even if invalid chains are allowed; a pinned key need not")
    func expired() throws {
        let issued = try authority.issue(
            "old",
            CertificateRequest {
                $0.notBefore -= 5 * 86400; $0.notAfter = .now - 86400
            })
        let chain = try Certificate.certificates(file: issued.chainFile)
        let byCertificate = policy(.certificate, [chain[0]]) { $0.allowsInvalidCertificates = true }
        #expect(try reason(byCertificate, chain) == .expired(subject: "CN=old", notAfter: chain[0].notAfter))
        let byKey = policy(.publicKey, [chain[0]]) { $0.allowsInvalidCertificates = true }
        #expect(try reason(byKey, chain) == nil)
    }

    @Test("a pinned certificate that an impostor only sends along does not help him")
    func appended() throws {
        let impostor = try CertificateAuthority()
        let forged = try impostor.certificates(impostor.issue("server").chainFile) + chain
        for mode in [SecurityPolicy.PinningMode.certificate, .publicKey] {
            let lax = policy(mode, [members[0], members[1]]) { $0.allowsInvalidCertificates = true }
            #expect(try reason(lax, forged) == .pinMismatch)
        }
    }

    @Test(
        "an issuer is looked for among the first 32 certificates, and not behind them",
        arguments: [(31, true), (32, false)])
    func farIssuer(index: Int, isFound: Bool) throws {
        let far = Array(repeating: members[0], count: index) + [members[1]]
        let lax = policy(.publicKey, [members[1]]) {
            $0.anchors = .system
            $0.allowsInvalidCertificates = true
        }
        let wanted: TrustError.Reason? = isFound ? nil : .pinMismatch
        #expect(try reason(lax, far) == wanted)
    }

    @Test("a key is pinned by its digest alone, as curl writes it")
    func digest() throws {
        let pin = try PublicKeyPin(
            "sha256//"
                + Command.run([
                    "sh", "-c",
                    "openssl x509 -in \(leaf.file) -noout -pubkey | openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | base64",
                ]).trimmingCharacters(in: .whitespacesAndNewlines))
        #expect(pin == PublicKeyPin(chain[0]))
        #expect(try reason(policy(.publicKey, []) { $0.pinnedPublicKeys = [pin] }) == nil)
        #expect(throws: SecurityError.invalidPin("sha256//x")) { try PublicKeyPin("sha256//x") }
    }
}
