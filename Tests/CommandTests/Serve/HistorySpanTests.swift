import Testing

@testable import NetwatchService

@Suite("How far back a question goes")
struct HistorySpanTests {
    @Test(
        "is the same for the service as for the file",
        arguments: ["90m", "24h", "10000m", "1.5d", "3650d", "9d", "1ms"])
    func text(_ given: String) throws {
        let span = try #require(HistorySpan(given))
        #expect(HistorySpan(span.text) == span)
    }

    @Test("is a time, and no longer than ten years", arguments: ["", "d", "5md", "5sd", "-1h", "0s", "3651d", "soon"])
    func mistakes(_ given: String) {
        #expect(HistorySpan(given) == nil)
    }
}
