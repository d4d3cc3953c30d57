import Foundation
import RequestCore
import TestSupport
import Testing

@Suite("The security policy on a chain")
struct SecurityPolicyTests {
    let authority: CertificateAuthority

    init() throws {
        authority = try CertificateAuthority()
    }

    private func chain(_ request: CertificateRequest = CertificateRequest()) throws -> [Certificate] {
        try Certificate.certificates(file: authority.issue("server", request).chainFile)
    }

    private func certificate(_ file: String) throws -> Certificate {
        try #require(Certificate.certificates(file: file).first)
    }

    /// A policy that trusts the test's authority.
    private func policy(_ change: (inout SecurityPolicy) throws -> Void = { _ in }) rethrows -> SecurityPolicy {
        var policy = SecurityPolicy(anchors: .file(authority.rootFile))
        try change(&policy)
        return policy
    }

    private func reason(
        _ policy: SecurityPolicy, _ chain: [Certificate], host: String? = "localhost", at time: Int64? = nil
    ) throws -> TrustError.Reason? {
        let evaluator = try TrustEvaluator(policy)
        do throws(TrustError) {
            _ = try evaluator.evaluate(chain, host: host, at: time)
            return nil
        } catch {
            #expect(error.chain == chain)
            return error.reason
        }
    }

    // MARK: Without pins

    @Test(
        "a chain to a trusted root for the host passes, whatever the key",
        arguments: [CertificateRequest.Key.ec, .rsa, .ed25519])
    func valid(key: CertificateRequest.Key) throws {
        let chain = try chain(CertificateRequest { $0.key = key })
        let result = try policy().evaluate(chain: chain, host: "localhost")
        #expect(result.presentedChain == chain)
        #expect(result.chain == chain + [try certificate(authority.rootFile)])
        #expect(result.allowed == nil)
        #expect(result.earliestExpiry == chain.first?.notAfter)
    }

    @Test(
        "a certificate is compared by its address where the host is one", arguments: ["127.0.0.1", "[::1]", "::1%lo"])
    func addressHost(host: String) throws {
        let chain = try chain(CertificateRequest(names: ["IP:127.0.0.1", "IP:::1"]))
        #expect(try reason(policy(), chain, host: host) == nil)
        #expect(try reason(policy(), chain, host: "127.0.0.2") == .wrongHost("127.0.0.2", names: ["127.0.0.1", "::1"]))
    }

    @Test(
        "a wildcard stands for one whole label",
        arguments: [
            ("a.b.test", true), ("a.b.test.", true), ("A.B.TEST", true), ("c.a.b.test", false), ("b.test", false),
        ])
    func wildcard(host: String, passes: Bool) throws {
        let chain = try chain(CertificateRequest(names: ["DNS:*.b.test"]))
        #expect(try reason(policy(), chain, host: host) == (passes ? nil : .wrongHost(host, names: ["*.b.test"])))
    }

    @Test("the common name never stands in for a host name")
    func commonName() throws {
        let issued = try authority.issue("localhost", CertificateRequest(names: []))
        let chain = try Certificate.certificates(file: issued.chainFile)
        #expect(try reason(policy(), chain) == .wrongHost("localhost", names: []))
    }

    @Test("an expired certificate is refused, and passes at a time when it was valid")
    func expired() throws {
        let chain = try chain(
            CertificateRequest {
                $0.notBefore -= 5 * 86400; $0.notAfter = .now - 86400
            })
        let leaf = try #require(chain.first)
        #expect(try reason(policy(), chain) == .expired(subject: "CN=server", notAfter: leaf.notAfter))
        #expect(try reason(policy(), chain, at: leaf.notAfter - 10) == nil)
    }

    @Test("a certificate of tomorrow is refused today")
    func notYetValid() throws {
        let chain = try chain(CertificateRequest { $0.notBefore = .now + 86400 })
        let notBefore = try #require(chain.first?.notBefore)
        #expect(try reason(policy(), chain) == .notYetValid(subject: "CN=server", notBefore: notBefore))
        #expect(try reason(policy(), chain, at: notBefore + 60) == nil)
    }

    @Test("without its intermediate certificate the chain's issuer is not known")
    func missingIntermediate() throws {
        let leaf = try chain().prefix(1)
        #expect(try reason(policy(), Array(leaf)) == .unknownIssuer(issuer: "CN=Test Intermediate"))
    }

    @Test("an authority that is not trusted does not help")
    func otherAuthority() throws {
        let other = try CertificateAuthority()
        let policy = SecurityPolicy(anchors: .certificates(try other.certificates(other.rootFile)))
        #expect(try reason(policy, chain()) == .unknownIssuer(issuer: "CN=Test Root"))
        #expect(try reason(.default, chain()) == .unknownIssuer(issuer: "CN=Test Root"))
    }

    @Test("a self-signed certificate is refused, and passes where it is an anchor")
    func selfSigned() throws {
        let chain = try chain(CertificateRequest { $0.issuer = .itself })
        #expect(try reason(policy(), chain) == .selfSigned(subject: "CN=server"))
        #expect(try reason(SecurityPolicy(anchors: .certificates(chain)), chain) == nil)
    }

    @Test("a key of 1024 bits is too weak")
    func weak() throws {
        let reason = try reason(policy(), chain(CertificateRequest { $0.key = .weak }))
        guard case .weak(subject: "CN=server", _) = reason else {
            Issue.record("\(String(describing: reason))"); return
        }
    }

    @Test("a client's certificate does not make a server, unless names are not validated")
    func purpose() throws {
        let chain = try chain(CertificateRequest { $0.usage = "clientAuth" })
        let reason = try reason(policy(), chain)
        guard case .wrongPurpose(subject: "CN=server", _) = reason else {
            Issue.record("\(String(describing: reason))"); return
        }
        #expect(try self.reason(policy { $0.validatesDomainName = false }, chain) == nil)
    }

    @Test("no certificate is a reason of its own")
    func empty() throws {
        #expect(try reason(policy(), []) == .noCertificate)
    }

    @Test("an invalid chain that is allowed passes, and what is wrong with it is told")
    func allowed() throws {
        let chain = try chain(CertificateRequest { $0.issuer = .itself })
        let lax = SecurityPolicy(allowsInvalidCertificates: true, validatesDomainName: false)
        #expect(try lax.evaluate(chain: chain, host: "other").allowed == .selfSigned(subject: "CN=server"))
    }

    @Test(
        "to allow anything and yet claim to check the name is refused", arguments: SecurityPolicy.PinningMode.allCases)
    func invalidPolicy(mode: SecurityPolicy.PinningMode) throws {
        let policy = policy {
            $0.pinningMode = mode
            $0.allowsInvalidCertificates = true
        }
        #expect(try reason(policy, chain()) == .invalidPolicy)
        #expect(try reason(policy, chain(), host: nil) == (mode == .none ? nil : .noPins))
    }

    // MARK: Revocation

    @Test("a revoked certificate is refused, its neighbour passes")
    func revoked() throws {
        let good = try authority.issue("good")
        let bad = try authority.issue("bad")
        try authority.revoke(bad)
        let list = try authority.revocationList()
        let policy = policy { $0.revocation = RevocationLists(files: [list]) }
        #expect(try reason(policy, Certificate.certificates(file: good.chainFile)) == nil)
        #expect(try reason(policy, Certificate.certificates(file: bad.chainFile)) == .revoked(subject: "CN=bad"))
    }

    @Test("with no list of the issuer, or one that is too old, the check is not taken as passed")
    func revocationUnknown() throws {
        let list = try authority.revocationList()
        let chain = try chain()
        let whole = policy { $0.revocation = RevocationLists(files: [list], scope: .chain) }
        guard case .revocationUnknown(subject: "CN=Test Intermediate", _) = try reason(whole, chain) else {
            Issue.record("a missing list of the root passed"); return
        }
        let leaf = policy { $0.revocation = RevocationLists(files: [list]) }
        guard case .revocationUnknown = try reason(leaf, chain, at: chain[0].notAfter - 10) else {
            Issue.record("an old list passed"); return
        }
    }
}

extension CertificateAuthority {
    /// Reads one of the authority's files while it is there.
    func certificates(_ file: String) throws -> [Certificate] {
        try Certificate.certificates(file: file)
    }
}
