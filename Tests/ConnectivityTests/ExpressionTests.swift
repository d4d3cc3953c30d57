import Foundation
import Testing

@testable import Connectivity
@testable import Probing
@testable import RE2

@Suite("Regular expressions of bodies")
struct ExpressionTests {
    @Test(
        "match somewhere in a body",
        arguments: [
            ("healthy", "all is healthy here", true), ("^ok$", "ok", true), ("^ok$", "ok\n", true),
            ("^ok$", "ok\r\n", true), ("^ok\n$", "ok\n", true), ("^ok$", "ok\n\n", false), ("(?i)UP", "it is up", true),
            ("a.c", "a\nc", false), ("(?s)a.c", "a\nc", true), ("(?m)^b$", "a\nb\nc", true), ("", "", true),
            ("\\pL+é", "naïveté", true), ("\"status\":\\s*\"up\"", "{\"status\": \"up\"}", true),
            ("x{3,5}", "xx", false),
            ("(?P<n>a)b", "ab", true), ("\\bup\\b", "startup", false), ("[[:digit:]]{4}", "in 2026", true),
        ])
    func match(pattern: String, body: String, isMatch: Bool) throws {
        #expect(try RegularExpression(pattern).outcome(in: Array(body.utf8)) == (isMatch ? .match : .noMatch))
    }

    @Test("match beside bytes that are not UTF-8")
    func latin1() throws {
        let body = Array("Gr".utf8) + [0xFC, 0xDF] + Array("e: ok".utf8)
        #expect(try RegularExpression("Gr.*ok").outcome(in: body) == .match)
    }

    @Test(
        "with what a server could make last for ever are refused with a sentence",
        arguments: [
            ("(?=a)b", "looks around ((?=)"), ("(?!a)", "looks around ((?!)"), ("(?<=a)b", "looks around ((?<=)"),
            ("(?<!a)b", "looks around ((?<!)"), ("(a)\\1", "refers back (\\1)"),
            ("(?P<n>a)\\k<n>", "refers back (\\k)"),
            ("(?P<n>a)(?P=n)", "refers back ((?P=)"), ("(?<n>a)", "(?P<name>...)"), ("a++", "bad repetition operator"),
            ("(", "missing )"), ("[", "missing ]"), ("a{1001}", "invalid repetition size"), ("\\Z", "\\Z"),
            ("*a", "no argument for repetition"), ("(?:(?:(?:a{100}){100}){100})", "invalid repetition size"),
            ("(\\pL{1,300}|\\pN{1,300}){3}", "8 MiB of memory"),
        ])
    func refused(pattern: String, words: String) throws {
        let error = #expect(throws: ExpressionError.self) { try RegularExpression(pattern) }
        #expect(error?.description.contains(words) == true, "\(error as Any)")
        var target = try Target("http://a.test/")
        target.expectation.body = .expression(pattern)
        let refusal = #expect(throws: TargetError.self) { try target.validate() }
        #expect(refusal?.description.contains(words) == true, "\(refusal as Any)")
    }

    @Test("of 100 kB are refused in one short sentence")
    func long() {
        let error = #expect(throws: ExpressionError.self) {
            try RegularExpression(String(repeating: "a", count: 100_000))
        }
        #expect(error?.description.contains("64 KiB") == true)
    }

    /// Those that took Swift's own expressions a minute, or for ever.
    @Test(
        "take a moment, whatever the body is made of", .timeLimit(.minutes(1)),
        arguments: [
            (".*healthy.*", "x", 60_000), (".*healthy.*", "healthx", 1 << 17), ("^(a+)+$", "a", 35),
            ("^(a+)+$", "a", 1 << 20),
            ("(x+x+)+y", "x", 1 << 20), ("(a|a?)+$", "ab", 1 << 19), ("(.*)(.*)(.*)(.*)[^x]$", "x", 1 << 20),
        ])
    func linear(pattern: String, piece: String, count: Int) throws {
        let body = Array(String(repeating: piece, count: count).utf8) + Array("!".utf8)
        let start = ContinuousClock.now
        _ = try RegularExpression(pattern).outcome(in: body)
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test("of many targets that are alike are compiled once")
    func once() async throws {
        let examiners = BodyExaminers()
        let examiner = try examiners.examiner()
        for _ in 0..<100 { #expect(await examiner.flaw(of: ["up"], by: .expression("(up|down){1,200}")) == nil) }
        #expect(await examiner.expressions.count == 1)
        #expect(try examiners.examiner() === examiner)
        examiners.renew()
        #expect(try examiners.examiner() !== examiner)
    }
}

@Suite("Texts of others")
struct ShortenedTextTests {
    @Test(
        "are cut where they are long, between two characters",
        arguments: [("a", 500, 500), ("a", 501, 500), ("é", 400, 250), ("😀", 1000, 125)])
    func cut(character: String, count: Int, kept: Int) {
        let text = String(repeating: character, count: count)
        #expect(text.shortened == String(repeating: character, count: kept) + (kept < count ? "…" : ""))
    }
}
