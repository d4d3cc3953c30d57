import TestSupport
import Testing

/// What a monitor and the kernel once did not agree on, as the fuzzer reduced it.
struct KnownHistory: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var operations: [Operation]

    static let all = [
        KnownHistory(
            testDescription: "the leg taken is dead, and several are left, made in another order than their links",
            operations: [
                .peer("link set p0 down"),
                .ip("address add 2001:db8:2::3/64 dev v2 nodad"),
                .ip6("route add 2607::/16 table main via 2001:db8:2::fe dev v2"),
                .ip6(
                    "route append 2607::/16 table main nexthop via 2001:db8:1::fe dev v1 "
                        + "nexthop via fe80::fe dev v0 weight 3"),
            ]),
        KnownHistory(
            testDescription: "IPv6 routes of two tables share a nexthop object",
            operations: [
                .ip6("nexthop replace id 3 via 2001:db8:1::fe dev v1"),
                .ip6("route append 2001:db8:1::/80 table main metric 200 nhid 3"),
                .ip6("route replace 2607::/16 table local metric 100 nhid 3"),
            ]),
    ]
}

@Suite(
    "Histories after which monitors and the kernel once disagreed",
    .enabled(if: TestNamespace.unavailable == nil, "network namespaces cannot be made here"))
struct KnownHistoryTests {
    @Test("come to the same by now", arguments: KnownHistory.all)
    func agreement(_ history: KnownHistory) async throws {
        let episode = try await Episode()
        await #expect(throws: Never.self) {
            try await episode.agree(after: history.operations, isSettled: true, within: .seconds(20))
        }
        await episode.end()
    }
}
