import Foundation
import Netwatch
import TestSupport
import Testing

@testable import NetwatchService

@Suite("The OpenAPI document", .timeLimit(.minutes(4)))
struct OpenAPITests {
    private static let path = Netwatch.file("packaging/netwatch-openapi.json")

    private static func document() throws -> [String: Any] {
        let data = try Data(contentsOf: URL(filePath: path))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test("has every path that the server tells of, and the version of the program")
    func paths() throws {
        let document = try Self.document()
        let paths = try #require(document["paths"] as? [String: Any])
        for (link, _) in IndexPage.links { #expect(paths[String(link.prefix { $0 != "?" })] != nil, "\(link)") }
        #expect((document["info"] as? [String: Any])?["version"] as? String == NetwatchVersion.current)
    }

    @Test(
        "is what the server answers, to good questions and to bad ones",
        .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"))
    func answers() async throws {
        let served = try await ServingProgram(
            """
            interval: 1h
            targets: [{name: shop, url: "tcp://127.0.0.1:1", timeout: 1s}]

            """, options: ["--no-default-probes"], in: TestNamespace())
        let check = Netwatch.file("Tests/Support/Scripts/check-openapi.py")
        let verdict = try served.namespace.run(arguments: ["/usr/bin/python3", check, Self.path, served.base])
        #expect(verdict.hasSuffix(" questions, 0 answered otherwise\n"), "\(verdict)")
    }
}
