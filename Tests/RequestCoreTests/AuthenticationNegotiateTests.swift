import EventLoop
import Foundation
import NetworkAddress
import RequestCore
import TestSupport
import Testing

@Suite("Negotiate", .enabled(if: KerberosRealm.isInstalled, "no Kerberos, or no lighttpd with GSSAPI"))
struct AuthenticationNegotiateTests {
    @Test("a Kerberos ticket answers the server, and only for requests with that credential")
    func ticket() async throws {
        // In a process of its own: where the tickets are is told by the environment.
        await #expect(processExitsWith: .success) {
            let realm = try KerberosRealm()
            let session = try Session(loop: EventLoop())
            var request = Request(url: realm.url)
            request.family = .ipv4
            request.credential = .negotiate
            #expect(try await session.response(for: request).statusCode == 401)
            try realm.logIn()
            let response = try await session.response(for: request)
            #expect(response.statusCode == 200)
            #expect(response.body == Data("negotiated".utf8))
            request.credential = nil
            let without = try await session.response(for: request)
            #expect(without.statusCode == 401)
            #expect(without.metrics.localPort != response.metrics.localPort)
        }
    }
}
