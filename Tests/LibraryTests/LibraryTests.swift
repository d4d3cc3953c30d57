import Foundation
import TestSupport
import Testing

/// libnetwatch.so as programs in other languages use it: installed below a prefix, found by pkg-config, and run in a
/// namespace.
@Suite(
    "The C library", .serialized, .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"),
    .enabled(if: InstalledLibrary.isBuilt, "libNetwatchC.so was not built"),
    .disabled(if: Sanitizer.isInUse, "programs built without a sanitizer cannot load a library built with one"))
struct LibraryTests {
    private let library: InstalledLibrary
    private let namespace: TestNamespace

    init() throws {
        library = try InstalledLibrary()
        namespace = try TestNamespace()
    }

    @Test("the example in C builds without a warning and tells the state and a change")
    func exampleInC() async throws {
        let program = try library.compile("packaging/examples/watch.c")
        let lines = try await changes(seenBy: program, "2")
        #expect(lines.count == 2)
        #expect(lines.first?.contains("\"kind\":\"snapshot\"") == true)
        #expect(lines.first?.contains("\"reachability\":\"none\"") == true)
        #expect(lines.last?.contains("\"reachability\":\"ethernet\"") == true)
    }

    @Test("the example in Python tells the same")
    func exampleInPython() async throws {
        let lines = try await changes(
            seenBy: "env", "NETWATCH_LIBRARY=\(library.path)", "/usr/bin/python3",
            library.file("packaging/examples/watch.py"), "2")
        #expect(lines == ["1 none the monitor has started", "2 ethernet the default route on up0 was set"])
    }

    @Test("each function does what the header says")
    func functions() throws {
        let program = try library.compile("Tests/LibraryTests/Programs/functions.c")
        #expect(try namespace.run(program) == "ok\n")
    }

    @Test("several at once, started and stopped again and again with probes under way, leave nothing behind")
    func stress() throws {
        let program = try library.compile("Tests/LibraryTests/Programs/stress.c")
        try namespace.ip(
            """
            link add up0 type veth peer name far0
            link set far0 up
            link set up0 up
            addr add 192.0.2.1/24 dev up0
            route add default via 192.0.2.2
            """)
        #expect(try namespace.run(program) == "ok\n")
    }

    @Test("a program with a loop of its own polls a descriptor, and takes events one by one")
    func polling() throws {
        let program = try library.compile("Tests/LibraryTests/Programs/polling.c")
        try addLink()
        #expect(try namespace.run(program) == "ok\n")
    }

    @Test("waits end in time, started or not; a new configuration and an explanation are had from C")
    func waiting() throws {
        let program = try library.compile("Tests/LibraryTests/Programs/waiting.c")
        try addLink()
        #expect(try namespace.run(program) == "ok\n")
    }

    @Test("a stop and a new configuration need no descriptor")
    func exhausted() throws {
        let program = try library.compile("Tests/LibraryTests/Programs/exhausted.c")
        try addLink()
        #expect(try namespace.run(program) == "ok\n")
    }

    @Test("an exit handler that frees a monitor does not hang")
    func atExit() throws {
        let program = try library.compile("Tests/LibraryTests/Programs/at-exit.c")
        #expect(try namespace.run(program) == "ok\n")
        #expect(try namespace.run(program, "callback") == "ok\n")
    }

    @Test("the child of a fork does not hang, and its parent's monitor goes on")
    func forking() throws {
        let program = try library.compile("Tests/LibraryTests/Programs/forking.c")
        try addLink()
        #expect(try namespace.run(program) == "ok\n")
    }

    @Test(
        "a program that has set up OpenSSL before ends by itself, with connections under way",
        .enabled(if: NginxServer.isInstalled, "nginx is not installed"), arguments: ["running", "stopped", "freed"])
    func ending(how: String) throws {
        let program = try library.compile("Tests/LibraryTests/Programs/ending.c", "-lssl", "-lcrypto")
        try addLink()
        try namespace.ip("route add default via 192.0.2.1")
        let authority = try CertificateAuthority()
        let certificate = try authority.issue("server", CertificateRequest(names: ["IP:192.0.2.2"]))
        let server = try NginxServer(
            in: namespace, port: 80,
            servers: """
                server {
                    listen 443 ssl;
                    ssl_certificate \(certificate.chainFile);
                    ssl_certificate_key \(certificate.keyFile);
                    location / { return 204; }
                }
                """)
        for _ in 0..<40 { #expect(try namespace.run(program, how, authority.rootFile) == "ok\n") }
        withExtendedLifetime(server) {}
    }

    private func addLink() throws {
        try namespace.ip(
            "link add up0 type veth peer name far0\nlink set far0 up\nlink set up0 up\naddr add 192.0.2.2/24 dev up0")
    }

    /// What a program prints while an address and a default route are given to a link, until it ends by itself.
    private func changes(seenBy program: String...) async throws -> [String] {
        try addLink()
        let output = library.folder + "/output"
        let words = program.map { "'\($0)'" }.joined(separator: " ")
        let process = try namespace.start("sh", "-c", "exec \(words) > '\(output)' 2>&1")
        try await expectSoon { (try? String(contentsOfFile: output, encoding: .utf8).contains("\n")) == true }
        try namespace.ip("route add default via 192.0.2.1")
        try await expectSoon { process.hasEnded }
        return try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
