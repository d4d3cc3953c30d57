import Foundation
import RequestCore
import SystemPackage
import TestSupport
import Testing

@testable import RequestEngine

@Suite("Certificates and what they are read from")
struct SecurityCertificateTests {
    let authority: CertificateAuthority

    init() throws {
        authority = try CertificateAuthority()
    }

    /// What the openssl command says about a certificate.
    private func openssl(_ file: String, _ options: String...) throws -> String {
        let output = try Command.run(["openssl", "x509", "-in", file, "-noout"] + options)
        return output.trimmingCharacters(in: .whitespacesAndNewlines).components(separatedBy: "=").dropFirst().joined(
            separator: "=")
    }

    @Test("the facts are those that the openssl command reads")
    func facts() throws {
        let issued = try authority.issue(
            "Ünïcode",
            CertificateRequest(names: [
                "DNS:a.test", "IP:192.0.2.1", "IP:2001:db8::1", "URI:spiffe://a/b", "email:a@b.test",
            ]))
        let certificate = try #require(Certificate.certificates(file: issued.file).first)
        #expect(certificate.subject == "CN=Ünïcode")
        #expect(certificate.issuer == "CN=Test Intermediate")
        #expect(certificate.serialNumber == (try openssl(issued.file, "-serial")))
        #expect(
            certificate.names.map(\.description) == ["a.test", "192.0.2.1", "2001:db8::1", "spiffe://a/b", "a@b.test"])
        let fingerprint = try openssl(issued.file, "-fingerprint", "-sha256")
        #expect(certificate.fingerprint.description == fingerprint.replacingOccurrences(of: ":", with: "").lowercased())
        let end = try Command.run(["date", "-u", "-d", openssl(issued.file, "-enddate"), "+%s"])
        #expect(certificate.notAfter == Int64(end.trimmingCharacters(in: .newlines)))
        #expect(!certificate.isCertificateAuthority)
        #expect(try Certificate.certificates(file: authority.rootFile).first?.isCertificateAuthority == true)
    }

    @Test("DER and PEM of a certificate are equal, and it survives JSON")
    func encodings() throws {
        let issued = try authority.issue("server")
        let der = issued.file + ".der"
        try Command.run(["openssl", "x509", "-in", issued.file, "-outform", "DER", "-out", der])
        let certificates = try Certificate.certificates(file: issued.file)
        #expect(try Certificate.certificates(file: der) == certificates)
        #expect(try JSONDecoder().decode([Certificate].self, from: JSONEncoder().encode(certificates)) == certificates)
    }

    @Test(
        "what is no certificate is refused with its file's name",
        arguments: ["", "garbage", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "0garbage"])
    func garbage(text: String) throws {
        let file = authority.folder + "/garbage.pem"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let error = #expect(throws: SecurityError.self) { try Certificate.certificates(file: file) }
        #expect(error?.description.contains(file) == true)
    }

    @Test("a certificate cut short anywhere, or followed by a byte, is refused and never crashes")
    func truncated() throws {
        let der = try #require(Certificate.certificates(file: authority.rootFile).first).der
        for length in 0..<der.count {
            #expect(throws: SecurityError.self) { try Certificate(der: Array(der.prefix(length))) }
        }
        #expect(throws: SecurityError.notACertificate(path: nil, reason: "1 bytes follow it")) {
            try Certificate(der: der + [0])
        }
    }

    @Test("a certificate with a byte changed parses or is refused, and never crashes")
    func mutated() throws {
        let der = try #require(Certificate.certificates(file: authority.rootFile).first).der
        let policy = try TrustEvaluator(SecurityPolicy(anchors: .file(authority.rootFile)))
        for index in der.indices {
            var bytes = der
            bytes[index] ^= 0x41
            guard let certificate = try? Certificate(der: bytes) else { continue }
            #expect(throws: TrustError.self) { try policy.evaluate([certificate], host: "localhost") }
        }
    }

    @Test("a store of a folder is not current any more once one of its files is written anew in its place")
    func folderChange() throws {
        let folder = authority.folder + "/anchors"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = folder + "/corp.pem"
        try FileManager.default.copyItem(atPath: authority.rootFile, toPath: file)
        let store = try TrustStore(.folder(folder))
        #expect(store.isCurrent)
        let other = try CertificateAuthority()
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(contentsOf: URL(filePath: other.rootFile)))
        try handle.close()
        #expect(!store.isCurrent)
    }

    @Test("the system's folder may be several, and the store is not current any more once one of them has changed")
    func systemFolders() throws {
        let folders = ["hashed-a", "hashed-b"].map { "\(authority.folder)/\($0)" }
        for folder in folders {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        let store = try TrustStore(systemFile: "/nonexistent", systemFolder: folders.joined(separator: ":"))
        #expect(store.isCurrent)
        try FileManager.default.removeItem(atPath: folders[1])
        #expect(!store.isCurrent)
        #expect(throws: SecurityError.noSystemAnchors(file: "/nonexistent", folder: "/none:/neither")) {
            try TrustStore(systemFile: "/nonexistent", systemFolder: "/none:/neither")
        }
    }

    @Test("a folder gives its certificates, and names the files that are none")
    func folder() throws {
        let folder = authority.folder + "/bundle"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (source, name) in [
            (authority.rootFile, "a.PEM"), (authority.intermediateFile, "b.crt"), (authority.rootFile, "c.txt"),
        ] {
            try FileManager.default.copyItem(atPath: source, toPath: "\(folder)/\(name)")
        }
        try Command.run(["openssl", "x509", "-in", authority.rootFile, "-outform", "DER", "-out", "\(folder)/d.der"])
        try "no".write(toFile: "\(folder)/e.cer", atomically: true, encoding: .utf8)
        let found = try CertificateFolder(path: folder)
        #expect(found.certificates.map(\.subject) == ["CN=Test Root", "CN=Test Intermediate"])
        #expect(found.rejected == [.noCertificates(path: "\(folder)/e.cer")])
        #expect(throws: SecurityError.noCertificates(path: "\(folder)/e.cer")) {
            try TrustEvaluator(SecurityPolicy(anchors: .folder(folder)))
        }
    }

    @Test("a file of authorities that is absent, a folder or a device is an error that says so")
    func absent() throws {
        for (path, errno) in [
            ("/nonexistent/ca.pem", Errno.noSuchFileOrDirectory), ("/tmp", .isDirectory),
            ("/dev/zero", .invalidArgument),
        ] {
            #expect(throws: SecurityError.unreadable(path: path, errno)) {
                try TrustEvaluator(SecurityPolicy(anchors: .file(path)))
            }
        }
        #expect(throws: SecurityError.unreadable(path: "/nonexistent", .noSuchFileOrDirectory)) {
            try CertificateFolder(path: "/nonexistent")
        }
    }

    @Test("an identity needs its own key, and the passphrase of an encrypted one")
    func identity() throws {
        let client = try authority.issue("client", CertificateRequest { $0.usage = "clientAuth" })
        let other = try authority.issue("other")
        let encrypted = client.keyFile + ".enc"
        try Command.run([
            "openssl", "pkcs8", "-topk8", "-in", client.keyFile, "-out", encrypted, "-passout", "pass:secret",
        ])
        #expect(try ClientIdentity(certificate: client.chainFile, privateKey: client.keyFile).chain.count == 2)
        #expect(throws: Never.self) {
            try ClientIdentity(certificate: client.file, privateKey: encrypted, passphrase: "secret")
        }
        #expect(throws: SecurityError.wrongPassphrase(path: encrypted)) {
            try ClientIdentity(certificate: client.file, privateKey: encrypted, passphrase: "wrong")
        }
        #expect(throws: SecurityError.passphraseMissing(path: encrypted)) {
            try ClientIdentity(certificate: client.file, privateKey: encrypted)
        }
        #expect(throws: SecurityError.keyMismatch(certificate: client.file, key: other.keyFile)) {
            try ClientIdentity(certificate: client.file, privateKey: other.keyFile)
        }
        #expect(throws: SecurityError.unreadable(path: "/nonexistent", .noSuchFileOrDirectory)) {
            try ClientIdentity(certificate: client.file, privateKey: "/nonexistent")
        }
        #expect(throws: SecurityError.self) { try ClientIdentity(certificate: client.file) }
    }

    @Test("the policy of the narrowest pattern is for a host")
    func hosts() throws {
        let pinned = SecurityPolicy(pinningMode: .publicKey)
        let lax = SecurityPolicy(allowsInvalidCertificates: true, validatesDomainName: false)
        let old = SecurityPolicy(minimumTLSVersion: .tls10)
        let policies = try SecurityPolicies(
            other: nil,
            hosts: [
                HostPattern("*.test"): lax, HostPattern("a.test"): pinned, HostPattern("A.test:8443"): old,
                HostPattern("[::1]:1"): old,
            ])
        #expect(policies.policy(host: "a.test", port: 443) == pinned)
        #expect(policies.policy(host: "a.test.", port: 8443) == old)
        #expect(policies.policy(host: "c.b.test", port: 443) == lax)
        #expect(policies.policy(host: "[::1]", port: 1) == old)
        #expect(policies.policy(host: "test", port: 443) == nil)
        for text in ["", "*.", "a*.test", "a.test:x", "a.test:70000", "a b"] {
            #expect(throws: SecurityError.invalidHostPattern(text)) { try HostPattern(text) }
        }
    }
}
