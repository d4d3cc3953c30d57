import EventLoop
import Evidence
import Foundation
import Reachability
import RequestEngine
import Synchronization
import TestSupport
import Testing

@testable import Connectivity
@testable import Probing

/// What a server sends is as long and as hard to read as the server likes.
@Suite("Hostile answers", .serialized, .timeLimit(.minutes(3)))
struct HostileAnswerTests {
    private let loop: EventLoop
    private let prober: Prober

    init() throws {
        loop = try EventLoop()
        prober = Prober(loop: loop, configuration: ConnectivityConfiguration())
    }

    private func probe(
        _ answer: [UInt8], timeout: Duration = .seconds(20), _ change: (inout Target) -> Void
    ) async throws -> (ProbeResult, Duration) {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send(answer)
        }
        var target = try Target("http://127.0.0.1:\(server.port)/")
        change(&target)
        try target.validate()
        var (result, least) = await probe(target, timeout)
        // A virtual machine's own stops are counted as the thread's time; what is computed is the same each time.
        for _ in 0..<2 where least >= LoopBurden.limit {
            let (again, burden) = await probe(target, timeout)
            (result, least) = (again, min(least, burden))
        }
        return (result, least)
    }

    private func probe(_ target: Target, _ timeout: Duration) async -> (ProbeResult, Duration) {
        let burden = LoopBurden(loop)
        let result = await prober.result(of: Probe(id: 1, target: target, timeout: timeout))
        return (result, burden.end())
    }

    private static func answer(_ body: [UInt8], fields: String = "") -> [UInt8] {
        Array("HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    private static func text(_ text: String, times count: Int) -> [UInt8] {
        Array(String(repeating: text, count: count).utf8)
    }

    @Test("a body that is long and one line is no trouble for an expression")
    func longLine() async throws {
        for (body, isUp) in [
            (Self.text("x", times: 60_000), false), (Self.text("x", times: 900_000) + Array("healthy".utf8), true),
        ] {
            let (result, burden) = try await probe(Self.answer(body)) {
                $0.expectation.body = .expression(".*healthy.*")
            }
            #expect(result.outcome == (isUp ? .success : .failure), "\(result)")
            #expect(result.reason == (isUp ? nil : .unexpectedBody))
            #expect(burden < LoopBurden.limit, "\(burden)")
        }
    }

    @Test("an expression that takes too long with a body is this host's own trouble, and the loop goes on meanwhile")
    func costly() async throws {
        var random = SplitMix64(seed: 1)
        let body = (0..<1 << 17).map { _ in
            [UInt8(ascii: "a"), UInt8(ascii: "b")][Int.random(in: 0...1, using: &random)]
        }
        let start = ContinuousClock.now
        let (result, burden) = try await probe(Self.answer(body), timeout: .milliseconds(300)) {
            $0.expectation.body = .expression("(a|b)*a(a|b){900}x")
        }
        #expect(result.reason == .bodyUnexamined, "\(result)")
        #expect(result.outcome == .failure)
        #expect(result.statusCode == 200)
        #expect(burden < LoopBurden.limit, "\(burden)")
        #expect(ContinuousClock.now - start < .seconds(10))
        // Others have their turn once that one is over, and it is not tried again soon.
        let (other, _) = try await probe(Self.answer(Array("up".utf8)), timeout: .seconds(60)) {
            $0.expectation.body = .expression("up")
        }
        #expect(other.outcome == .success, "\(other)")
        let (again, _) = try await probe(Self.answer(body), timeout: .seconds(60)) {
            $0.expectation.body = .expression("(a|b)*a(a|b){900}x")
        }
        #expect(again.reason == .bodyUnexamined, "\(again)")
        #expect(again.duration < .seconds(5))
    }

    private static let longBodies: [(Connectivity.Expectation.Body?, limit: Int?, count: Int, isUp: Bool)] = [
        (.expression("x"), nil, 1 << 20, true), (.expression("x"), nil, 1 + (1 << 20), false),
        (.expression("x"), 16 << 20, 2 << 20, false), (.expression("x"), 1000, 1001, false),
        (.json(JSONMatch(pointer: "")), nil, 3 << 20, false), (nil, 1000, 1001, false), (nil, nil, 3 << 20, true),
    ]

    @Test("a body over the limit is this host's own trouble, where anything is expected of it", arguments: longBodies)
    func overLimit(body: Connectivity.Expectation.Body?, limit: Int?, count: Int, isUp: Bool) async throws {
        let (result, burden) = try await probe(Self.answer(Self.text("x", times: count))) {
            $0.expectation.body = body
            $0.maximumBodySize = limit
        }
        #expect(result.outcome == (isUp ? .success : .failure), "\(result)")
        #expect(result.reason == (isUp ? nil : .bodyUnexamined))
        #expect(result.statusCode == 200)
        #expect(burden < LoopBurden.limit, "\(burden)")
    }

    @Test("a body that never ends is left unread where nothing is asked of it")
    func endless() async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send([UInt8](repeating: 46, count: 1 << 16)) {}
        }
        let target = try Target("http://127.0.0.1:\(server.port)/")
        let result = await prober.result(of: Probe(id: 1, target: target, timeout: .seconds(20)))
        #expect(result.outcome == .success, "\(result)")
    }

    @Test("a portal's long page in the place of a short answer is still a portal's")
    func longPortal() async throws {
        for expectation in [Connectivity.Expectation.noContent, .body("success")] {
            let (result, _) = try await probe(Self.answer(Self.text("<p>Log in</p>", times: 20_000))) {
                $0.expectation = expectation
            }
            #expect(result.outcome == .portal, "\(result)")
        }
    }

    @Test(
        "JSON that is deep, or long, or wide, is read beside the loop",
        arguments: [
            ("[", "", 1 << 19), ("[1,", "2", 300_000), ("{\"a\":", "1", 100_000), ("\"a", "\"", 500_000),
            ("[\"\\u00e4\",", "1", 100_000), ("1", "", 1_000_000),
        ])
    func json(piece: String, end: String, count: Int) async throws {
        let body = Self.text(piece, times: count) + Array(end.utf8)
        let (result, burden) = try await probe(Self.answer(body)) {
            $0.expectation.body = .json(JSONMatch(pointer: "/status", value: "\"up\""))
        }
        #expect(result.reason == .unexpectedBody, "\(result)")
        #expect(burden < LoopBurden.limit, "\(burden)")
    }

    @Test("wide objects in JSON are looked through, and the value found")
    func wide() async throws {
        let members = (0..<20_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let (result, burden) = try await probe(Self.answer(Array("{\(members),\"status\":\"up\"}".utf8))) {
            $0.expectation.body = .json(JSONMatch(pointer: "/status", value: "\"up\""))
        }
        #expect(result.outcome == .success, "\(result)")
        #expect(burden < LoopBurden.limit, "\(burden)")
    }

    @Test(
        "header fields of 100 kB hold nothing up",
        arguments: [
            (String(repeating: "a", count: 100_000), 1), ("b", 3_000), (String(repeating: "c", count: 1000), 31),
            ("", 5_000),
        ])
    func header(value: String, count: Int) async throws {
        let fields = (0..<count).map { "X-\($0): \(value)\r\n" }.joined()
        let (result, burden) = try await probe(Self.answer(Array("ok".utf8), fields: fields)) {
            $0.expectation.header = .init(name: "X-Up", value: "yes")
        }
        #expect(result.reason == .unexpectedHeader, "\(result)")
        #expect(burden < LoopBurden.limit, "\(burden)")
    }

    @Test("blame this host where it has not looked, and the target where it has")
    func blame() throws {
        for (reason, blame) in [
            (ConnectivityReason.bodyUnexamined, TargetHealth.Blame.host),
            (.unexpectedBody, .target), (.mangled, .target),
        ] {
            var world = try Simulation(targets: ["a", "b"])
            world.path(.by("eth0"), cause: .start)
            world.end("b", .success)
            for _ in 0..<2 {
                guard let probe = world.open.first(where: { $0.target.name == "a" }) else { break }
                var result = ProbeResult.test("a", .failure, status: 200, at: world.now)
                result.reason = reason
                world.open.removeAll { $0.id == probe.id }
                world.send(.ended(probe.id, result))
                world.advanceToWake()
            }
            let health = world.events.last?.targets.first { $0.target == "a" }
            #expect(health?.reason == reason)
            #expect(health?.blame == blame)
            #expect(world.events.last?.blame == blame)
        }
    }
}

/// TLS, by which a server decides how much a client computes.
@Suite("Hostile handshakes", .serialized, .timeLimit(.minutes(3)))
struct HostileHandshakeTests {
    @Test("a group of 8192 bits holds up the probes' thread at most, and no news of the kernel's")
    func largeGroup() async throws {
        let folder = try TemporaryFolder()
        let authority = try CertificateAuthority()
        let certificate = try authority.issue("localhost", CertificateRequest { $0.key = .rsa })
        let group = "\(folder.path)/group.pem"
        _ = try Command.run(
            ["openssl", "genpkey", "-genparam", "-algorithm", "DH", "-pkeyopt", "group:ffdhe8192", "-out", group])
        let port = try FreePort.next()
        let server = try BackgroundProcess(
            [
                "openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate.file, "-cert_chain",
                certificate.chainFile, "-key", certificate.keyFile, "-tls1_2", "-dhparam", group, "-cipher",
                "DHE-RSA-AES256-GCM-SHA384", "-www",
            ])
        try await expectSoon { server.output.contains("ACCEPT") }
        var configuration = ConnectivityConfiguration(targets: [
            try Target("https://127.0.0.1:\(port)/", name: "hostile")
        ])
        configuration.certificateAuthorityFile = authority.rootFile
        let loop = try EventLoop()
        let results = Mutex<[ProbeResult]>([])
        let runner = ProbeRunner(loop: loop, configuration: configuration) { reports in
            for case .ended(_, let result) in reports { results.withLock { $0.append(result) } }
        }
        let burden = LoopBurden(loop)
        await runner.start([Probe(id: 1, target: configuration.targets[0], timeout: .seconds(20))])
        try await expectSoon { results.withLock { !$0.isEmpty } }
        let longest = burden.end()
        await runner.stop()
        #expect(results.withLock { $0.first?.outcome } == .success, "\(results.withLock { $0 })")
        #expect(longest < LoopBurden.limit, "\(longest)")
        withExtendedLifetime((server, folder)) {}
    }
}
