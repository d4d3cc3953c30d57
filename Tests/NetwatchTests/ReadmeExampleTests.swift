import Foundation
import TestSupport
import Testing

/// The example of README.md is the program of Examples/Embedding, which is built with the package.
@Suite("The example of README.md")
struct ReadmeExampleTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test("is the program that is built")
    func isBuilt() throws {
        let readme = try String(contentsOf: Self.package.appending(path: "README.md"), encoding: .utf8)
        let program = try String(
            contentsOf: Self.package.appending(path: "Examples/Embedding/main.swift"), encoding: .utf8)
        #expect(readme.contains("```swift\n\(program)```\n"))
        #expect(program.split(separator: "\n").count <= 10)
    }

    @Test(
        "tells the state of a host without a link",
        .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"))
    func runs() throws {
        let namespace = try TestNamespace()
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "Embedding").path
        let output = try namespace.run("sh", "-c", Self.firstLine, "sh", program)
        #expect(output == "none none: the monitor has started\n")
    }

    /// Runs a program until it has printed a line, for thirty seconds at most.
    private static let firstLine = """
        file=$(mktemp); stdbuf -oL "$1" >"$file" & child=$!
        for _ in $(seq 1500); do [ -s "$file" ] && break; sleep 0.02; done
        kill -KILL $child; cat "$file"; rm "$file"
        """
}
