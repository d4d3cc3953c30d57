import EventLoop
import Foundation
import RequestCore
import TestSupport
import Testing

@Suite("Stapled OCSP responses")
struct SecurityStaplingTests {
    private let authority: CertificateAuthority
    private let server: IssuedCertificate

    init() throws {
        authority = try CertificateAuthority()
        server = try authority.issue("server")
    }

    private func policy(_ stapling: OCSPStapling = .required) -> SecurityPolicy {
        var policy = SecurityPolicy(anchors: .file(authority.rootFile))
        policy.stapling = stapling
        return policy
    }

    private func bytes(_ file: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: file))) }

    /// What is wrong, nil where nothing is.
    private func problem(
        _ response: [UInt8]?, _ stapling: OCSPStapling = .required, at time: Int64? = nil
    ) throws -> TrustError.Reason? {
        let chain = try Certificate.certificates(file: server.chainFile)
        do {
            _ = try policy(stapling).evaluate(chain: chain, host: "localhost", stapledResponse: response, at: time)
            return nil
        } catch let error as TrustError {
            return error.reason
        }
    }

    private func isUnknown(_ reason: TrustError.Reason?, _ detail: String) -> Bool {
        guard case .revocationUnknown("CN=server", let found)? = reason else { return false }
        return found.contains(detail)
    }

    @Test("the issuer's word that a certificate is good lets it pass, and its word that it is revoked does not")
    func goodAndRevoked() throws {
        #expect(try problem(bytes(authority.statusResponse(for: server))) == nil)
        try authority.revoke(server)
        let revoked = try bytes(authority.statusResponse(for: server))
        #expect(try problem(revoked) == .revoked(subject: "CN=server"))
        #expect(try problem(revoked, .checked) == .revoked(subject: "CN=server"))
        #expect(try problem(revoked, .ignored) == nil)
    }

    @Test("a server that staples nothing passes, unless it is required to")
    func absent() throws {
        #expect(isUnknown(try problem(nil), "has stapled no OCSP response"))
        #expect(try problem(nil, .checked) == nil)
        #expect(try problem(nil, .ignored) == nil)
    }

    @Test("a response counts in its time only, and one without an end for a day")
    func time() throws {
        let now = Int64(Date().timeIntervalSince1970)
        for days in [1, nil] {
            let response = try bytes(authority.statusResponse(for: server, days: days))
            #expect(try problem(response, at: now + 80_000) == nil)
            #expect(isUnknown(try problem(response, at: now + 90_000), "does not count any more"))
            #expect(isUnknown(try problem(response, at: now - 4000), "does not count yet"))
        }
    }

    @Test("the issuer may have another sign, whom it has given a certificate for that, and no one else may")
    func signers() throws {
        let delegate = try authority.issue("responder", CertificateRequest(names: []) { $0.usage = "OCSPSigning" })
        #expect(try problem(bytes(authority.statusResponse(for: server, signedBy: delegate))) == nil)
        let ordinary = try authority.issue("neighbour")
        let signed = try bytes(authority.statusResponse(for: server, signedBy: ordinary))
        #expect(isUnknown(try problem(signed), "is not signed by the issuer"))
        let stranger = try CertificateAuthority()
        let foreign = try stranger.issue("responder", CertificateRequest(names: []) { $0.usage = "OCSPSigning" })
        let forged = try bytes(authority.statusResponse(for: server, signedBy: foreign))
        #expect(isUnknown(try problem(forged), "is not signed by the issuer"))
    }

    @Test("a response about another certificate does not help")
    func another() throws {
        let other = try authority.issue("other")
        let response = try bytes(authority.statusResponse(for: other))
        #expect(isUnknown(try problem(response), "is about another certificate"))
    }

    @Test("a response that is cut or damaged is refused and never crashes")
    func damaged() throws {
        let response = try bytes(authority.statusResponse(for: server))
        for count in stride(from: 0, to: response.count, by: 7) {
            #expect(try problem(Array(response.prefix(count))) != nil)
        }
        var generator = SeededGenerator(seed: 6066)
        for _ in 0..<300 {
            var damaged = response
            damaged[Int.random(in: 0..<damaged.count, using: &generator)] ^= UInt8.random(
                in: 1...255, using: &generator)
            _ = try problem(damaged)
        }
    }

    @Test(
        "in a handshake: good passes, revoked or absent sends no byte of the request",
        .enabled(if: NginxServer.isInstalled, "nginx is not installed"), arguments: ["TLSv1.2", "TLSv1.3"])
    func handshake(version: String) async throws {
        let session = try Session(loop: EventLoop())
        func stapling(_ file: String?) throws -> TLSServer {
            let directives = file.map { "ssl_stapling on; ssl_stapling_file \($0);" } ?? ""
            return try TLSServer(server, "ssl_protocols \(version); \(directives)")
        }
        let good = try stapling(authority.statusResponse(for: server))
        #expect(try await session.response(for: good.request(policy())).body == Data("hello".utf8))
        let silent = try stapling(nil)
        #expect(try await session.response(for: silent.request(policy(.checked))).statusCode == 200)
        let missing = await #expect(throws: RequestError.self) {
            try await session.response(for: silent.request(policy()))
        }
        guard case .untrusted(let error)? = missing?.reason, isUnknown(error.reason, "no OCSP response") else {
            Issue.record("\(String(describing: missing))")
            return
        }
        #expect(missing?.metrics.certificates.count == 2)
        try authority.revoke(server)
        let revoked = try stapling(authority.statusResponse(for: server))
        let refused = await #expect(throws: RequestError.self) {
            try await session.response(for: revoked.request(policy()))
        }
        guard case .untrusted(let error)? = refused?.reason else {
            Issue.record("\(String(describing: refused))")
            return
        }
        #expect(error.reason == .revoked(subject: "CN=server"))
        #expect(revoked.requests.isEmpty)
        #expect(try await silent.logged(1) == 1)
    }
}
