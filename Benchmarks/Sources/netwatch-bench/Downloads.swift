import EventLoop
import Foundation
import Netwatch
import RequestCore

/// How long 1 GiB takes from a server on loopback to a file, beside curl in the same run, and what memory that needs.
///
/// Both write to the same folder and take turns; the best round of each counts. Ours waits for the disk before the file
/// gets its name, which curl does not.
struct Downloads {
    let program: String
    var rounds = 3

    func measure() async throws -> [Figure] {
        let server = try Nginx()
        let url = "http://127.0.0.1:\(server.port)/large"
        let folder = FileManager.default.temporaryDirectory.appending(path: "downloads-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "file").path
        let session = try Session()
        guard let address = URL(string: url) else { throw BenchmarkError.unexpected(url) }
        var (ours, theirs, programs) = (Double.infinity, Double.infinity, Double.infinity)
        for _ in 0..<rounds {
            theirs = min(theirs, try await time(of: file) { try command("curl", "--silent", "--output", file, url) })
            ours = min(
                ours,
                try await time(of: file) { _ = try await session.download(Download(Request(url: address), to: file)) })
            programs = min(
                programs, try await time(of: file) { try command(program, "get", "--output", file, url) })
        }
        let memory = try Self.memory(of: program, "get", "--output", file, url)
        withExtendedLifetime(server) {}
        return [
            Figure("downloads", "1 GiB to a file", ours, "s").beside("curl", theirs).aiming(ratioAtMost: 1.2),
            Figure("downloads", "1 GiB by netwatch get", programs, "s").beside("curl", theirs)
                .aiming(ratioAtMost: 1.2),
            Figure("downloads", "memory of netwatch get at most", memory, "MiB")
                .aiming(atMost: 30),
        ]
    }

    /// The most resident memory that a program has had by its end, in MiB.
    ///
    /// What getrusage(2) tells of a child begins with the memory of the process that started it: here, this benchmark's.
    private static func memory(of arguments: String...) throws -> Double {
        let script = """
            "$@" & while peak=$(grep VmHWM "/proc/$!/status"); do last=$peak; sleep 0.01; done 2>/dev/null
            wait $! && echo "$last"
            """
        let line = try command(["sh", "-c", script, "sh"] + arguments)
        guard let peak = line.split(whereSeparator: \.isWhitespace).compactMap({ Double($0) }).first else {
            throw BenchmarkError.unexpected("no memory of \(arguments): \(line)")
        }
        return peak / 1024
    }

    /// The seconds that it takes to make the file, which is removed again.
    private func time(of file: String, _ body: () async throws -> Void) async throws -> Double {
        let start = MonotonicTime.now
        try await body()
        let seconds = start.duration(to: .now) / .seconds(1)
        let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
        guard size == 1 << 30 else { throw BenchmarkError.unexpected("\(size ?? 0) bytes in place of 1 GiB") }
        try FileManager.default.removeItem(atPath: file)
        return seconds
    }
}
