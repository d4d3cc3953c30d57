#if Service
import TestSupport
import Testing

@Suite(
    "netwatch wait", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
    .timeLimit(.minutes(2)))
struct WaitTests {
    @Test("wait ends as soon as there is a path")
    func reached() async throws {
        let uplink = try Uplink()
        let run = try Netwatch.start("wait", "--for", "path", "--no-probe", "--limit", "60s", in: uplink.namespace)
        try uplink.connect()
        #expect(try await run.end() == 0)
        #expect(run.errorText == "")
    }

    @Test("wait says what is missing when the time is over", arguments: [("path", Int32(4)), ("wifi", 4)])
    func missed(goal: String, status: Int32) async throws {
        let namespace = try TestNamespace()
        let outcome = try await Netwatch.run(["wait", "--for", goal, "--no-probe", "--limit", "50ms"], in: namespace)
        #expect(outcome.status == status)
        #expect(outcome.errorText.contains("no route leads out"))
    }

    @Test("wait for Wi-Fi is not satisfied by a cable, and says by what traffic leaves")
    func otherMedium() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let arguments = ["wait", "--for", "wifi", "--no-probe", "--limit", "50ms"]
        let outcome = try await Netwatch.run(arguments, in: uplink.namespace)
        #expect(outcome.status == 3)
        #expect(outcome.errorText.contains("ethernet via up0"))
    }
}
#endif
