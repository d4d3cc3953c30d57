import EventLoop
import Foundation
import NetworkAddress
import Resolver
import TestSupport
import Testing

/// A server that speaks systemd-resolved's varlink as 252 and later do; the real one is asked in ConnectivityTests where
/// it is installed.
@Suite("systemd-resolved")
struct ResolvedTests {
    private let folder: TemporaryFolder
    private let loop: EventLoop

    init() throws {
        folder = try TemporaryFolder()
        loop = try EventLoop()
    }

    private var path: String { "\(folder.path)/resolve" }

    private func ask(
        _ name: String = "check.test", _ family: AddressFamily? = nil, timeout: Duration = .seconds(20)
    ) async throws(ResolverError) -> [String] {
        let client = ResolvedClient(loop: loop, path: path)
        return try await client.addresses(of: name, family: family, link: 7, timeout: timeout).map(\.description)
    }

    /// Answers each question with the next part of a list, in pieces.
    private func server(_ pieces: [String]) throws -> SocketServer {
        try SocketServer(unixSocket: path) { connection in
            var question: [UInt8] = []
            var byte: UInt8 = 0
            while read(connection.descriptor, &byte, 1) == 1, byte != 0 { question.append(byte) }
            for piece in pieces { connection.send(piece) }
            if pieces.isEmpty { connection.waitForEnd() }
        }
    }

    @Test("is asked for the link's own answer, which may come in pieces")
    func answer() async throws {
        let server = try server([
            #"{"parameters":{"addresses":[{"ifindex":7,"family":10,"address":[253,153,0,0,0,0,0,0,0,0,0,"#,
            "0,0,0,0,1]},{\"family\":2,\"address\":[10,99,0,1]}],\"name\":\"check.test\",\"flags\":8388609}}\0",
        ])
        #expect(ResolvedClient(loop: loop, path: path).isRunning)
        #expect(try await ask() == ["fd99::1", "10.99.0.1"])
        withExtendedLifetime(server) {}
    }

    @Test(
        "tells what went wrong by a word of its own",
        arguments: [
            (
                #"{"error":"io.systemd.Resolve.DNSError","parameters":{"rcode":3}}"#,
                ResolverError.nameNotFound("check.test")
            ),
            (
                #"{"error":"io.systemd.Resolve.DNSError","parameters":{"rcode":2}}"#,
                .serverFailed("check.test", reason: "response code 2")
            ),
            (#"{"error":"io.systemd.Resolve.NoNameServers","parameters":{}}"#, .noServers),
            (#"{"error":"io.systemd.Resolve.NoSuchResourceRecord"}"#, .noRecords("check.test", .a)),
            (#"{"error":"io.systemd.Resolve.MaxAttemptsReached"}"#, .unreachable("check.test")),
            (
                #"{"error":"org.varlink.service.InvalidParameter"}"#,
                .setup(reason: "systemd-resolved does not know this call")
            ),
            (#"{"parameters":{"addresses":[]}}"#, .malformedAnswer("check.test")),
            (#"{"parameters":{"addresses":[{"family":2,"address":[1,2]}]}}"#, .malformedAnswer("check.test")),
            ("not JSON", .malformedAnswer("check.test")),
        ])
    func failures(answer: String, expected: ResolverError) async throws {
        let server = try server([answer + "\0"])
        await #expect(throws: expected) { try await ask() }
        withExtendedLifetime(server) {}
    }

    @Test("that closes, says nothing or too much, or is not there ends the look-up")
    func broken() async throws {
        #expect(!ResolvedClient(loop: loop, path: path).isRunning)
        await #expect(throws: ResolverError.self) { try await ask() }
        let silent = try server([])
        await #expect(throws: ResolverError.timedOut("check.test", after: .milliseconds(50))) {
            try await ask(timeout: .milliseconds(50))
        }
        let task = Task { try await ask() }
        task.cancel()
        await #expect(throws: ResolverError.cancelled) { try await task.value }
        withExtendedLifetime(silent) {}
        unlink(path)
        let endless = try server([String](repeating: String(repeating: " ", count: 64 << 10), count: 8))
        await #expect(throws: ResolverError.self) { try await ask() }
        withExtendedLifetime(endless) {}
    }
}

@Suite("The file of hosts")
struct HostsFileTests {
    @Test("knows names without case, comments and nonsense apart, and is read anew when it changes")
    func lookUp() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "127.0.0.1\tlocalhost # this host\n\n# 192.0.2.9 none.test\n192.0.2.1 Web.test web\r\n2001:db8::1 web.test\nx y\n"
                .utf8, to: "hosts")
        var hosts = HostsFile(path: "\(path)")
        #expect(hosts.addresses(of: "WEB.test.")?.map(\.description) == ["192.0.2.1", "2001:db8::1"])
        #expect(hosts.addresses(of: "web.test", family: .ipv6)?.map(\.description) == ["2001:db8::1"])
        #expect(hosts.addresses(of: "web", family: .ipv6) == nil)
        #expect(hosts.line(of: "WEB.test.", try #require(IPAddress("2001:db8::1"))) == 5)
        #expect(hosts.line(of: "web.test", try #require(IPAddress("192.0.2.9"))) == nil)
        #expect(hosts.addresses(of: "none.test") == nil)
        _ = try folder.write("192.0.2.77 none.test\n".utf8, to: "hosts")
        #expect(hosts.addresses(of: "none.test")?.map(\.description) == ["192.0.2.77"])
        try FileManager.default.removeItem(atPath: "\(path)")
        #expect(hosts.addresses(of: "none.test") == nil)
    }

    @Test(
        "a name server's text",
        arguments: [
            ("192.0.2.1", "192.0.2.1:53"), ("192.0.2.1:5353", "192.0.2.1:5353"), ("2001:db8::1", "[2001:db8::1]:53"),
            ("[2001:db8::1]:5353", "[2001:db8::1]:5353"), ("dns.test", nil), ("192.0.2.1:0", nil),
            ("[192.0.2.1]:53", nil),
        ])
    func nameServer(text: String, expected: String?) {
        #expect(NameServer(text)?.description == expected)
    }
}
