import EventLoop
import Testing

@testable import Evidence

@Suite("Whether it is a portal")
struct InquiryTests {
    private static let since = MonotonicTime(nanoseconds: 1_000_000_000)
    private var inquiry = Inquiry(
        id: 1, .portal, since: since, accused: 0, certificate: nil, witnesses: [1], sealed: [2])

    @Test("a target that comes as itself over TLS shows that there is none, whatever is silent")
    mutating func sealed() {
        _ = inquiry.hear(2, .expected, isSure: false, sentAt: Self.since)
        #expect(!inquiry.isProven(isKnown: false, isPlain: true))
        #expect(!inquiry.isProven(isKnown: true, isPlain: true))
    }

    @Test(
        "what else is said over TLS shows nothing",
        arguments: [Answer.wrong(.refused), .untrusted, .nothing, .wrong(.unanswered)])
    mutating func unsaid(answer: Answer) {
        _ = inquiry.hear(2, answer, isSure: false, sentAt: Self.since)
        #expect(!inquiry.isTold)
        #expect(inquiry.isProven(isKnown: false, isPlain: true))
    }

    @Test("nor does what it was asked before")
    mutating func before() {
        _ = inquiry.hear(2, .expected, isSure: false, sentAt: MonotonicTime(nanoseconds: 1))
        #expect(inquiry.isProven(isKnown: false, isPlain: true))
    }

    @Test("a portal that lets some through is one all the same where a witness agrees")
    mutating func walledGarden() {
        _ = inquiry.hear(2, .expected, isSure: false, sentAt: Self.since)
        let isOver = inquiry.hear(1, .elsewhere, isSure: false, sentAt: Self.since)
        #expect(isOver)
        #expect(inquiry.isProven(isKnown: false, isPlain: true))
    }

    @Test(
        "one that expects no answer in particular may have been shown the portal's own page", arguments: [false, true])
    mutating func page(isReferenceItself: Bool) {
        inquiry = Inquiry(
            id: 1, .portal, since: Self.since, accused: 0, certificate: nil, witnesses: [1, 3], sealed: [])
        _ = inquiry.hear(3, .expected, isSure: false, sentAt: Self.since)
        #expect(!inquiry.isProven(isKnown: true, isPlain: true))
        _ = inquiry.hear(1, isReferenceItself ? .expected : .elsewhere, isSure: true, sentAt: Self.since)
        #expect(inquiry.isProven(isKnown: false, isPlain: false) == !isReferenceItself)
    }
}
