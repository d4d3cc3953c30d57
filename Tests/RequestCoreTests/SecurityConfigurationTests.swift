import Foundation
import RequestCore
import TestSupport
import Testing

@Suite("Security policies from a configuration")
struct SecurityConfigurationTests {
    private let authority: CertificateAuthority

    init() throws {
        authority = try CertificateAuthority()
    }

    private func decode<Value: Decodable>(_ type: Value.Type = Value.self, _ json: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    private func explanation(_ json: String) -> String {
        do {
            _ = try decode(SecurityPolicies.self, json)
            return "accepted"
        } catch DecodingError.dataCorrupted(let context) {
            return context.codingPath.map(\.stringValue).joined(separator: ".") + ": " + context.debugDescription
        } catch {
            return "\(error)"
        }
    }

    @Test("what is not said is as in the default policy")
    func defaults() throws {
        #expect(try decode(SecurityPolicy.self, "{}") == .default)
        #expect(try decode(SecurityPolicies.self, "{}") == SecurityPolicies())
        #expect(try decode(SecurityPolicies.self, #"{"other":null}"#) == SecurityPolicies(other: nil))
    }

    @Test("policies by host are read as they are written")
    func policies() throws {
        let pin = PublicKeyPin(try Certificate.certificates(file: authority.rootFile)[0])
        let policies = try decode(
            SecurityPolicies.self,
            """
            {"other": null, "hosts": {
              "*.example.com": {"pinningMode": "publicKey", "pinnedPublicKeys": ["\(pin)"]},
              "[::1]:8443": {"anchors": {"file": "/ca.pem"}, "minimumTLSVersion": "TLSv1.3", "stapling": "required",
                             "revocation": {"files": ["/crl.pem"]}}}}
            """)
        #expect(policies.policy(host: "other.test", port: 443) == nil)
        let pinned = try #require(policies.policy(host: "a.example.com", port: 443))
        #expect(pinned == SecurityPolicy(pinningMode: .publicKey, pinnedPublicKeys: [pin]))
        let local = try #require(policies.policy(host: "::1", port: 8443))
        #expect(local.anchors == .file("/ca.pem"))
        #expect(local.minimumTLSVersion == .tls13)
        #expect(local.stapling == .required)
        #expect(local.revocation == RevocationLists(files: ["/crl.pem"]))
    }

    @Test("a policy reads back as it was written")
    func roundTrip() throws {
        let client = try authority.issue("client", CertificateRequest(names: []) { $0.usage = "clientAuth" })
        let root = try Certificate.certificates(file: authority.rootFile)
        var policy = SecurityPolicy(
            pinningMode: .certificate, pinnedCertificates: root, pinnedPublicKeys: [PublicKeyPin(root[0])],
            allowsInvalidCertificates: true, anchors: .certificates(root),
            revocation: RevocationLists(files: ["a", "b"], scope: .chain), minimumTLSVersion: .tls13,
            clientIdentity: try ClientIdentity(certificate: client.file, privateKey: client.keyFile))
        policy.stapling = .checked
        for anchors in [TrustAnchors.system, .file("f"), .folder("d"), .certificates(root)] {
            policy.anchors = anchors
            let policies = try SecurityPolicies(other: policy, hosts: [HostPattern("*.a:1"): policy])
            let again = try JSONDecoder().decode(SecurityPolicies.self, from: JSONEncoder().encode(policies))
            #expect(again == policies)
        }
    }

    @Test("an identity's passphrase stands in a file of its own, and is not written")
    func passphrase() throws {
        let client = try authority.issue("client", CertificateRequest(names: []) { $0.usage = "clientAuth" })
        let (file, word) = ("\(authority.folder)/client.p12", "\(authority.folder)/word")
        try Command.run([
            "openssl", "pkcs12", "-export", "-in", client.file, "-inkey", client.keyFile, "-out", file, "-passout",
            "pass:secret",
        ])
        try Data("secret\n".utf8).write(to: URL(filePath: word))
        let json = #"{"clientIdentity": {"pkcs12": "\#(file)", "passphraseFile": "\#(word)"}}"#
        let policy = try decode(SecurityPolicy.self, json)
        #expect(policy.clientIdentity?.chain.count == 1)
        let written = String(decoding: try JSONEncoder().encode(policy), as: UTF8.self)
        #expect(written.contains("passphraseFile") && !written.contains("secret"))
        let without = #"{"other": {"clientIdentity": {"pkcs12": "\#(file)"}}}"#
        #expect(explanation(without).contains("client.p12 is encrypted: give its passphrase"))
    }

    @Test(
        "a mistake is an error that names it and where it is",
        arguments: [
            (#"{"other": {"pinningMod": "publicKey"}}"#, #"other: "pinningMod" is not known: write "#),
            (#"{"hosts": {"a*": {}}}"#, "a*"),
            (#"{"other": {"pinnedPublicKeys": ["sha256//x"]}}"#, "is not a public key pin"),
            (#"{"other": {"anchors": "mine"}}"#, #"other.anchors: "mine" are no anchors"#),
            (#"{"other": {"anchors": {"file": "a", "folder": "b"}}}"#, "other.anchors: write one of"),
            (#"{"other": {"revocation": {"file": []}}}"#, #"other.revocation: "file" is not known"#),
            (#"{"other": {"clientIdentity": {"certificate": "/nowhere"}}}"#, "/nowhere cannot be read"),
            (#"{"other": {"minimumTLSVersion": "1.2"}}"#, "TLSVersion"),
        ])
    func mistakes(json: String, expected: String) {
        #expect(explanation(json).contains(expected), "\(explanation(json))")
    }
}
