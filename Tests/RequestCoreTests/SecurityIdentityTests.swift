import EventLoop
import Foundation
import RequestCore
import SystemPackage
import TestSupport
import Testing

@Suite("Client identities in PKCS#12")
struct SecurityIdentityTests {
    private let authority: CertificateAuthority
    private let client: IssuedCertificate

    init() throws {
        authority = try CertificateAuthority()
        client = try authority.issue("client", CertificateRequest(names: []) { $0.usage = "clientAuth" })
    }

    /// A container of the client's certificate, its chain and its key, or of what the options leave.
    private func container(_ passphrase: String, _ options: String...) throws -> String {
        let file = "\(authority.folder)/\(UUID().uuidString).p12"
        try Command.run(
            [
                "openssl", "pkcs12", "-export", "-in", client.chainFile, "-inkey", client.keyFile, "-out", file,
                "-passout", "pass:\(passphrase)",
            ] + options)
        return file
    }

    @Test("the certificate, those that go with it, and the key are read", arguments: ["secret", "", "pässwörd"])
    func read(passphrase: String) throws {
        let identity = try ClientIdentity(pkcs12: container(passphrase), passphrase: passphrase)
        #expect(identity.chain == (try Certificate.certificates(file: client.chainFile)))
        #expect(try identity == ClientIdentity(certificate: client.chainFile, privateKey: client.keyFile))
    }

    @Test("certificates that go with it are put into the order of a chain, and others are left out")
    func order() throws {
        let stranger = try authority.issue("stranger")
        let others = "\(authority.folder)/others.pem"
        let files = [stranger.file, authority.rootFile, authority.intermediateFile]
        try files.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
            .write(toFile: others, atomically: true, encoding: .utf8)
        let file = "\(authority.folder)/shuffled.p12"
        try Command.run([
            "openssl", "pkcs12", "-export", "-in", client.file, "-inkey", client.keyFile, "-certfile", others, "-out",
            file, "-passout", "pass:",
        ])
        let identity = try ClientIdentity(pkcs12: file)
        #expect(identity.chain.map(\.subject) == ["CN=client", "CN=Test Intermediate", "CN=Test Root"])
    }

    @Test("no passphrase opens a container that has none")
    func none() throws {
        #expect(try ClientIdentity(pkcs12: container("")).chain.count == 2)
        #expect(try ClientIdentity(pkcs12: container("", "-nomac"), passphrase: "").chain.count == 2)
    }

    @Test("what is wrong with a container is told")
    func wrong() throws {
        let file = try container("secret")
        #expect(throws: SecurityError.wrongPassphrase(path: file)) {
            try ClientIdentity(pkcs12: file, passphrase: "wrong")
        }
        #expect(throws: SecurityError.passphraseMissing(path: file)) { try ClientIdentity(pkcs12: file) }
        let empty = try container("secret", "-nokeys")
        #expect(throws: SecurityError.noPrivateKey(path: empty)) {
            try ClientIdentity(pkcs12: empty, passphrase: "secret")
        }
        #expect(throws: SecurityError.unreadable(path: "/nonexistent", .noSuchFileOrDirectory)) {
            try ClientIdentity(pkcs12: "/nonexistent")
        }
        for other in [client.file, client.keyFile, "/dev/null"] {
            #expect(throws: SecurityError.self) { try ClientIdentity(pkcs12: other) }
        }
    }

    @Test("an encryption that this OpenSSL has given up is named, with what to do")
    func legacy() throws {
        let file = try container("secret", "-legacy")
        let error = #expect(throws: SecurityError.self) { try ClientIdentity(pkcs12: file, passphrase: "secret") }
        guard case .notAPKCS12(file, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("unsupported"))
        #expect(error?.description.contains("export it again") == true)
    }

    @Test("a container that is cut or damaged is refused and never crashes")
    func damaged() throws {
        let whole = [UInt8](try Data(contentsOf: URL(filePath: container("secret", "-iter", "1", "-maciter"))))
        let file = "\(authority.folder)/damaged.p12"
        var generator = SeededGenerator(seed: 7292)
        for index in 0..<120 {
            var bytes = whole
            if index.isMultiple(of: 2) {
                bytes = Array(bytes.prefix(Int.random(in: 0..<whole.count, using: &generator)))
            } else {
                bytes[Int.random(in: 0..<whole.count, using: &generator)] ^= 0x11
            }
            try Data(bytes).write(to: URL(filePath: file))
            _ = try? ClientIdentity(pkcs12: file, passphrase: "secret")
        }
    }

    @Test(
        "a server that asks for a certificate gets that of the container",
        .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
    func handshake() async throws {
        let server = try TLSServer(
            authority.issue("server"),
            "ssl_verify_client on; ssl_client_certificate \(authority.rootFile); ssl_verify_depth 2;")
        let session = try Session(loop: EventLoop())
        var policy = SecurityPolicy(anchors: .file(authority.rootFile))
        #expect(try await session.response(for: server.request(policy, "/who")).statusCode == 400)
        policy.clientIdentity = try ClientIdentity(pkcs12: container("secret"), passphrase: "secret")
        let response = try await session.response(for: server.request(policy, "/who"))
        #expect(response.body == Data("CN=client".utf8))
        #expect(!response.metrics.isConnectionReused)
    }
}
