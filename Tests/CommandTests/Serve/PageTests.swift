import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite(
    "The page", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"), .timeLimit(.minutes(8)))
struct PageTests {
    private static let isSeen: Bool = {
        let test =
            "import selenium, shutil, sys; sys.exit(not (shutil.which('chromium') and shutil.which('chromedriver')))"
        return (try? Command.capture(["/usr/bin/python3", "-c", test]))?.status == 0
    }()

    private static let isJudged: Bool = {
        let test =
            "import sys, pathlib; sys.exit(not any(pathlib.Path(p, 'axe_selenium_python').exists() for p in sys.path))"
        return (try? Command.capture(["/usr/bin/python3", "-c", test]))?.status == 0
    }()

    private static let script = Netwatch.file("Tests/Support/Scripts/check-page.py")

    @Test("is one file of at most 80 kB that takes nothing from elsewhere, and its policy is strict")
    func file() async throws {
        let service = try await Service(names: ["shop"])
        defer { service.run.send(SIGKILL) }
        let answer = try Command.run([
            "nsenter", "--net=\(service.uplink.namespace.path)", "--", "curl", "-s", "-m", "20", "-D", "-", Service.url,
        ])
        #expect(answer.utf8.count <= 80_000)
        let nonce = try #require(answer.firstMatch(of: /script-src 'nonce-([a-z0-9]{20,})'/)?.1)
        #expect(answer.contains("<script nonce=\"\(nonce)\">") && answer.contains("<style nonce=\"\(nonce)\">"))
        #expect(answer.contains("default-src 'none'") && answer.contains("require-trusted-types-for 'script'"))
        #expect(!answer.contains("unsafe") && !answer.contains("{{"))
        #expect(answer.components(separatedBy: "Content-Security-Policy:").count == 2)
        for word in [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "src=\"http", "@import",
        ] {
            #expect(!answer.contains(word), "\(word)")
        }
        let again = try Command.run([
            "nsenter", "--net=\(service.uplink.namespace.path)", "--", "curl", "-s", "-m", "20", Service.url,
        ])
        #expect(!again.contains(nonce))
    }

    @Test(
        "is right for eyes, keyboards and narrow screens, takes any name for a name, and outlives the service",
        .enabled(if: isSeen, "chromium, chromium-driver or python3-selenium is missing"))
    func browser() async throws {
        let names = [
            "shop", "<script>alert(1)</script><img src=x onerror=alert(2)>",
            "ü" + String(repeating: "x", count: 10_000),
        ]
        let service = try await Service(names: names)
        let list = try #require(String(data: JSONEncoder().encode(names), encoding: .utf8))
        let folder = ProcessInfo.processInfo.environment["NETWATCH_PICTURES"].map { [$0] } ?? []
        let look = try ProgramRun(
            ["/usr/bin/python3", Self.script, "look", Service.url, list] + folder, in: service.uplink.namespace)
        try await wait(look, for: "nothing-from-outside")
        let words = look.lines.filter { !$0.hasPrefix("verdict ") }
        #expect(
            words == ["names", "exporters", "keyboard", "narrow", "words", "latest", "nothing-from-outside"])
        service.run.send(SIGTERM)
        _ = try await service.run.end()
        try await wait(look, for: "lost")
        let second = try await service.start()
        try await wait(look, for: "back")
        #expect(try await look.end(within: .seconds(60)) == 0)
        second.send(SIGTERM)
        _ = try await second.end()
    }

    @Test(
        "keeps nobody from using it, as far as axe-core can tell: in light and dark, and 360 pixels wide",
        .enabled(
            if: isSeen && isJudged, "chromium, chromium-driver, python3-selenium or axe-selenium-python is missing"))
    func accessibility() async throws {
        let names = ["shop", "router"]
        let service = try await Service(names: names)
        defer { service.run.send(SIGKILL) }
        let list = String(decoding: try JSONEncoder().encode(names), as: UTF8.self)
        let look = try ProgramRun(
            ["/usr/bin/python3", Self.script, "judge", Service.url, list], in: service.uplink.namespace)
        #expect(try await look.end(within: .seconds(240)) == 0, "\(look.errorText)")
        #expect(look.lines.filter { $0.hasPrefix("accessible ") }.count == 3)
    }

    private func wait(_ look: ProgramRun, for word: String) async throws {
        _ = try await look.wait(for: word, within: .seconds(180)) {
            let isOver = look.errorText.contains("Error") || look.errorText.contains("did not come")
            if isOver { Issue.record("\(look.errorText)") }
            return look.lines.contains(word) || isOver ? true : nil
        }
    }

    /// A service in a namespace of its own, with targets of which none answers.
    private struct Service {
        static let url = "http://127.0.0.1:19115/"

        let uplink: Uplink
        let run: ProgramRun
        private let folder: TemporaryFolder
        private let file: String

        init(names: [String]) async throws {
            uplink = try Uplink()
            try uplink.namespace.ip("link set lo up")
            try uplink.connect()
            folder = try TemporaryFolder()
            let targets = try names.enumerated().map { index, name in
                let text = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
                return "  - {name: \(text), url: \"http://127.0.0.1:9/\(index)\"}\n"
            }
            let yaml = """
                interval: 1s
                targets:
                \(targets.joined())
                service:
                  listen: 127.0.0.1:19115
                  socket: none
                  history: {path: \(folder.path.appending("h.db"))}
                  webhooks: [{url: "http://127.0.0.1:9/"}]
                """
            file = try folder.write(yaml.utf8, to: "netwatch.yaml").string
            run = try await Self.start(file, uplink)
        }

        func start() async throws -> ProgramRun { try await Self.start(file, uplink) }

        private static func start(_ file: String, _ uplink: Uplink) async throws -> ProgramRun {
            let run = try ProgramRun([Netwatch.path, "serve", "--config", file], in: uplink.namespace)
            _ = try await run.wait(for: "the port") { run.errorText.contains("listening on http:") ? true : nil }
            return run
        }
    }
}
