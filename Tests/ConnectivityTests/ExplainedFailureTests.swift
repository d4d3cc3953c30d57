import EventLoop
import Evidence
import Foundation
import NetworkAddress
import Reachability
import RequestEngine
import Resolver
import SystemPackage
import Testing

@testable import Connectivity
@testable import Probing

/// Random failures of every kind that a probe can have, 4,000 of them or as many as `NETWATCH_FAILURES` says: each has a reason of the closed list, and so has every
/// verdict and every target that is less than well because of them.
@Suite("No failure is without a reason", .serialized)
struct ExplainedFailureTests {
    private static let seeds = Array(UInt64(1)...20)
    private static let failuresPerSeed =
        (ProcessInfo.processInfo.environment["NETWATCH_FAILURES"].flatMap { Int($0) } ?? 4000) / seeds.count

    @Test("the list of reasons is closed, and no longer than 38")
    func list() {
        // That no caller asks is no failure.
        #expect(ConnectivityReason.allCases.count { $0 != .probesDisabled } <= 38)
        #expect(Set(ConnectivityReason.allCases.map(\.rawValue)).count == ConnectivityReason.allCases.count)
    }

    @Test("whatever fails, and whatever was known before", arguments: seeds)
    func explained(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var world = try Simulation(
            targets: ["a", "b", "c"], interval: .seconds(1), fall: Int.random(in: 1...3, using: &random),
            perInterface: seed.isMultiple(of: 3), perFamily: seed.isMultiple(of: 5))
        world.path(.by("eth0"))
        var unexplained: [String] = []
        var failures = 0
        var turns = 0
        while failures < Self.failuresPerSeed {
            turns += 1
            try #require(turns < 20 * Self.failuresPerSeed, "the world stands still")
            guard let probe = world.open.first else {
                if turns.isMultiple(of: 97) { world.path(.gone) }
                world.path(.by(turns.isMultiple(of: 3) ? "eth1" : "eth0", ipv6: turns.isMultiple(of: 5)))
                world.advanceToWake()
                continue
            }
            world.now += 1_000_000
            // Other tests wait for this thread.
            if failures.isMultiple(of: 20) { await Task.yield() }
            let result = Self.result(of: probe, at: world.now, using: &random)
            if result.outcome == .failure || result.outcome == .portal {
                failures += 1
                if result.reason == nil || result.failure?.isEmpty != false { unexplained.append("\(result)") }
            }
            let count = world.events.count
            world.send(.ended(probe.id, result))
            if world.events.count > count, let event = world.events.last { unexplained += Self.unexplained(event) }
        }
        #expect(unexplained.isEmpty, "\(unexplained.count): \(unexplained.prefix(3))")
    }

    /// What an event tells as less than well without saying why.
    private static func unexplained(_ event: Event) -> [String] {
        var found: [String] = []
        if ![.full, .unknown].contains(event.connectivity), event.reason == nil {
            found.append("\(event.seq) \(event.connectivity)")
        }
        for target in event.targets where target.status == .down && (target.reason == nil || target.blame == nil) {
            found.append("\(event.seq) \(target)")
        }
        for uplink in event.uplinks where ![.full, .unknown].contains(uplink.connectivity) && uplink.reason == nil {
            found.append("\(event.seq) \(uplink)")
        }
        return found
    }

    // MARK: Faults

    /// Mostly failures, as the parts that probe make them.
    private static func result(of probe: Probe, at now: UInt64, using random: inout SplitMix64) -> ProbeResult {
        var result: ProbeResult
        switch Int.random(in: 0..<10, using: &random) {
        case 0: result = .test(probe.target.name, .success, status: 200, at: now)
        case 1, 2: result = ProbeResult(probe, ProbeFailure(resolverError(using: &random)), after: .milliseconds(1))
        case 3: result = .failed(probe, errno(using: &random), "no connection")
        case 4, 5: result = judged(probe, using: &random)
        default: result = ProbeResult(probe, requestError(using: &random))
        }
        result.endMonotonic = MonotonicTime(nanoseconds: now)
        return result
    }

    private static func errno(using random: inout SplitMix64) -> Errno {
        Errno(rawValue: CInt.random(in: 1...133, using: &random))
    }

    private static func resolverError(using random: inout SplitMix64) -> ResolverError {
        let errno = errno(using: &random)
        let all: [ResolverError] = [
            .nameNotFound("a"), .noRecords("a", .aaaa), .invalidName("a"), .serverFailed("a", reason: "SERVFAIL"),
            .timedOut("a", after: .seconds(1)), .unreachable("a"), .malformedAnswer("a"),
            .interfaceRefused("eth0", errno), .noServers, .setup(reason: "no"),
        ]
        return all.randomElement(using: &random) ?? .noServers
    }

    private static func requestError(using random: inout SplitMix64) -> RequestError {
        let errno = errno(using: &random)
        let phase = Phase.allCases.randomElement(using: &random) ?? .connect
        let trust = TrustError(reason: trustReason(using: &random), chain: [], host: "a")
        let all: [RequestError.Reason] = [
            .invalidURL("a", problem: "b"), .noAddress(of: .ipv4), .bodyUnreadable(path: "/", errno), .bodyFailed("a"),
            .noSecurityPolicy(host: "a"), .pinningWithoutTLS(url: "a"), .noCAFile(path: "/"),
            .cookieFile(path: "/", call: "open", errno), .sessionInvalidated, .setup("a"), .resolve(host: "a"),
            .connect(host: "a", port: 1, errno), .connect(host: "a", port: 1, nil),
            .interfaceRefused(.name("eth0"), errno), .proxy("a"), .tls(host: "a", "b"), .untrusted(trust),
            .timedOut(phase, after: .seconds(1)), .connectionLost(received: 0, errno),
            .connectionLost(received: 1, nil),
            .emptyResponse, .malformedResponse("a"), .malformedContent("a"), .headerTooLarge(limit: 1),
            .bodyTooLarge(limit: 1), .unacceptableStatus(500, body: Data()),
            .fileUnwritable(path: "/", call: "open", errno), .noDestination("a"), .unresumable("a"),
            .tooManyRedirects(limit: 1, hops: []), .other(code: Int.random(in: 0...100, using: &random), "a"),
        ]
        return RequestError(all.randomElement(using: &random) ?? .emptyResponse)
    }

    private static func trustReason(using random: inout SplitMix64) -> TrustError.Reason {
        let all: [TrustError.Reason] = [
            .expired(subject: "a", notAfter: 1), .notYetValid(subject: "a", notBefore: 1), .wrongHost("a", names: []),
            .unknownIssuer(issuer: "a"), .selfSigned(subject: "a"), .revoked(subject: "a"),
            .revocationUnknown(subject: "a", detail: "b"), .pinMismatch, .noPins, .invalidPolicy,
            .weak(subject: "a", detail: "b"), .wrongPurpose(subject: "a", detail: "b"), .noCertificate, .malformed("a"),
            .hostShortage(.tooManyOpenFiles),
            .other(subject: "a", code: Int.random(in: 0...100, using: &random), detail: "b"),
        ]
        return all.randomElement(using: &random) ?? .noCertificate
    }

    /// An answer of any kind, judged as any kind of endpoint's.
    private static func judged(_ probe: Probe, using random: inout SplitMix64) -> ProbeResult {
        let expectations: [Connectivity.Expectation] = [.noContent, .body("success"), .challenge, .ordinary]
        let judge = ReplyJudge(
            expectation: expectations.randomElement(using: &random) ?? .ordinary,
            isSecure: Bool.random(using: &random), host: "a.test", challenge: "c")
        let length = [0, 0, 1, 7, 500].randomElement(using: &random) ?? 0
        let reply = Reply(
            statusCode: Int.random(in: 100...599, using: &random),
            version: ["1.0", "1.1", "2"].randomElement(using: &random) ?? "2",
            headers: Bool.random(using: &random) ? [.init(name: "Location", value: "http://login.test/")] : [],
            body: (0..<length).map { _ in .random(in: 0...255, using: &random) })
        var result = ProbeResult(probe, .success, RequestMetrics())
        result.statusCode = reply.statusCode
        switch judge.verdict(reply) {
        case .online: break
        case .portal(let address):
            result.outcome = .portal
            result.portal = address
            result.reason = .portal
            result.failure = "a portal answers"
        case .inconclusive(let reason):
            result.outcome = .failure
            result.reason = reason
            result.failure = reason.explanation
        }
        return result
    }
}
