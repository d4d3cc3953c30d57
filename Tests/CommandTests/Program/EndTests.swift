import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

/// How the program ends: by itself, whatever its threads are doing.
@Suite(
    "The end of a run",
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(10)))
struct EndTests {
    /// How often each command is run. A thousand by hand: NETWATCH_RUNS=1000.
    private static let runs = ProcessInfo.processInfo.environment["NETWATCH_RUNS"].flatMap(Int.init) ?? 30
    private static let lanes = 4

    @Test(
        "no command that reads certificates of its own has OpenSSL tidy up beside its threads",
        .enabled(if: !Sanitizer.isInUse, "a sanitizer's own library comes first"),
        arguments: ["wait", "status", "explain", "get"])
    func exitHandlers(command: String) async throws {
        let world = try World()
        let folder = try TemporaryFolder()
        let library = folder.path.appending("exit-handlers.so").string
        let source = Netwatch.file("Tests/LibraryTests/Programs/exit-handlers.c")
        try Command.run(["cc", "-Wall", "-Werror", "-shared", "-fPIC", source, "-o", library])
        let outcome = try await Netwatch.run(
            command: ["env", "LD_PRELOAD=\(library)", Netwatch.path] + world.arguments(of: command),
            in: world.uplink.namespace)
        #expect(outcome.status == 0)
        #expect(outcome.errorText == "")
    }

    @Test(
        "is its own, run after run, with TLS connections under way",
        arguments: ["wait", "status", "explain", "get"])
    func manyRuns(command: String) async throws {
        let world = try World()
        let statuses = try await withThrowingTaskGroup(of: [Int32].self) { group in
            for _ in 0..<Self.lanes {
                group.addTask {
                    var statuses: [Int32] = []
                    for _ in 0..<(Self.runs + Self.lanes - 1) / Self.lanes {
                        let outcome = try await Netwatch.run(
                            world.arguments(of: command), in: world.uplink.namespace)
                        statuses.append(outcome.status)
                    }
                    return statuses
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(statuses) == [0], "\(statuses)")
    }

    @Test("is a clean one where the probes have taken every descriptor that the program may have")
    func withoutDescriptors() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        // No host is there: each probe waits with a socket in hand.
        let targets = (0..<40).flatMap { ["--probe", "t\($0)=http://192.0.2.99/\($0)"] }
        let run = try ProgramRun(
            ["prlimit", "--nofile=40:40", Netwatch.path, "--json", "--interval", "1s", "--no-default-probes"] + targets,
            in: uplink.namespace)
        _ = try await run.line { $0.contains("overloaded") }
        run.send(SIGINT)
        #expect(try await run.end() == 0)
    }

    @Test(
        "is a clean one, and soon, where there is no memory for another thread",
        .enabled(if: !Sanitizer.isInUse, "a sanitizer takes all the addresses there are"),
        arguments: [1, 20, 40])
    func withoutMemory(megabytes: Int) async throws {
        let run = try ProgramRun([Netwatch.path, "--json", "--no-probe"], in: try TestNamespace())
        _ = try await run.line(0)
        let status = try String(contentsOfFile: "/proc/\(run.processID)/status", encoding: .utf8)
        let size = try #require(status.firstMatch(of: /VmSize:\s+(\d+) kB/).flatMap { Int($0.1) })
        try Command.run(["prlimit", "--pid", "\(run.processID)", "--as=\((size + megabytes * 1024) * 1024)"])
        let start = ContinuousClock.now
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
        #expect(ContinuousClock.now - start < .seconds(8), "\(run.errorText)")
    }

    @Test("is a clean one when the terminal goes away", arguments: [["--json"], ["record", "/dev/null"], ["--quiet"]])
    func hangUp(arguments: [String]) async throws {
        let uplink = try Uplink()
        let run = try ProgramRun([Netwatch.path] + arguments + ["--no-probe"], in: uplink.namespace)
        try await run.waitUntilItHandlesSignals()
        run.send(SIGHUP)
        #expect(try await run.end() == 0)
        #expect(run.errorText == "")
    }

    @Test("does not come by the terminal's going away under nohup")
    func noHangUp() async throws {
        let uplink = try Uplink()
        let run = try ProgramRun(
            ["nohup", Netwatch.path, "--json", "--no-probe"], in: uplink.namespace)
        _ = try await run.line(0)
        run.send(SIGHUP)
        try uplink.connect()
        _ = try await run.line { $0.contains("\"reachability\":\"ethernet\"") }
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
    }

    /// An uplink to a TLS server, and a configuration that names it.
    private struct World {
        let uplink: Uplink
        private let authority: CertificateAuthority
        private let server: NginxServer
        private let folder: TemporaryFolder
        private let configuration: String

        init() throws {
            uplink = try Uplink()
            try uplink.connect()
            authority = try CertificateAuthority()
            let certificate = try authority.issue("server", CertificateRequest(names: ["IP:192.0.2.2"]))
            server = try NginxServer(
                in: uplink.namespace, port: 80,
                servers: """
                    server {
                        listen 443 ssl;
                        ssl_certificate \(certificate.chainFile);
                        ssl_certificate_key \(certificate.keyFile);
                        location / { return 204; }
                    }
                    """)
            folder = try TemporaryFolder()
            let targets = (0..<3).map { "{ \"name\": \"t\($0)\", \"url\": \"https://192.0.2.2/\($0)\" }" }
            let text = "{ \"targets\": [\(targets.joined(separator: ", "))] }"
            configuration = try folder.write(text.utf8, to: "office.json").string
        }

        func arguments(of command: String) -> [String] {
            let trust = ["--ca-file", authority.rootFile]
            return switch command {
            case "get": ["get"] + trust + ["https://192.0.2.2/"]
            case "wait": ["wait", "--for", "t0", "--config", configuration] + trust
            default: [command, "--config", configuration] + trust
            }
        }
    }
}

extension ProgramRun {
    /// Waits until it has the signals blocked that it listens to.
    fileprivate func waitUntilItHandlesSignals() async throws {
        _ = try await wait(for: "a signalfd") {
            let folder = "/proc/\(processID)/fd"
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let targets = files.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            }
            return targets.contains("anon_inode:[signalfd]") ? true : nil
        }
    }
}
