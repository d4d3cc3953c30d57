import EventLoop
import TestSupport
import Testing

@testable import Reachability

/// The drivers of real links. That of the kind `ifb` cannot tell its carrier.
@Suite(
    "The drivers that are asked for their carrier",
    .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"), .timeLimit(.minutes(1)))
struct CarrierOracleTests {
    private let host: Host

    init() throws {
        host = try Host()
        try host.near.ip("link add x0 index 50 type ifb")
    }

    @Test("a link is asked that has the name of another, whose driver could not tell, or also its number")
    func reusedName() async throws {
        let oracle = try await oracle()
        #expect(await ask(oracle, 50, "x0") == .carriers([:]))
        try host.near.ip(
            """
            link delete x0
            link add x0 index 51 type veth peer name p0
            link set x0 up
            link set p0 up
            """)
        #expect(await ask(oracle, 51, "x0") == .carriers([51: true]))
        try host.near.ip(
            """
            link delete x0
            link add x0 index 50 type veth peer name p0
            link set x0 up
            link set p0 up
            """)
        oracle.forget(50)
        #expect(await ask(oracle, 50, "x0") == .carriers([50: true]))
        oracle.end()
    }

    @Test("a driver that the kernel has not followed for five seconds is not asked again")
    func disputed() async throws {
        let oracle = try await oracle()
        try host.near.ip(
            """
            link delete x0
            link add x0 index 50 type veth peer name p0
            link set x0 up
            """)
        #expect(await ask(oracle, 50, "x0") == .disputed([.init(index: 50, name: "x0")]))
        #expect(await ask(oracle, 50, "x0") == .carriers([:]))
        oracle.end()
    }

    /// One that asks in the host's namespace.
    private func oracle() async throws -> CarrierOracle {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<CarrierOracle, any Error>) in
            host.loop.schedule(after: .zero) {
                continuation.resume(with: Result<CarrierOracle, any Error> { try CarrierOracle(pollInterval: nil) })
            }
        }
    }

    /// What a link's driver says. The link counts as one that has lost its carrier, so that it is news where the driver
    /// says otherwise, and where it cannot tell.
    private func ask(_ oracle: CarrierOracle, _ index: UInt32, _ name: String) async -> CarrierQuestion.Outcome {
        let outcome = await withCheckedContinuation {
            (continuation: CheckedContinuation<CarrierQuestion.Outcome, Never>) in
            let link = CarrierQuestion.Link(index: index, name: name)
            let question = CarrierQuestion(number: UInt64(index), links: [link], lost: [index]) { _, outcome in
                continuation.resume(returning: outcome)
            }
            _ = oracle.keepAsking(from: .now)
            oracle.follow(question, at: .now)
        }
        oracle.noteTaken()
        return outcome
    }
}
