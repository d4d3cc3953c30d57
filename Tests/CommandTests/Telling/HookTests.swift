import Connectivity
import EventLoop
import Foundation
import Netwatch
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import NetwatchService

@Suite("Programs that are run for events")
struct HookTests {
    private static let origin = EventOrigin(id: "5c1a", name: "router-7", labels: ["site": "Bern"], epoch: 7)

    private let folder: TemporaryFolder
    private let loop: EventLoop
    private let log = Log()

    init() throws {
        folder = try TemporaryFolder()
        loop = try EventLoop(name: "test-hooks")
    }

    /// The lines that were told.
    final class Log: Sendable {
        private let all = Mutex<[String]>([])
        var lines: [String] { all.withLock { $0 } }
        func add(_ line: String) { all.withLock { $0.append(line) } }
    }

    private func script(_ text: String, mode: Int = 0o755) throws -> String {
        let file = try folder.write("#!/bin/sh\n\(text)\n".utf8, to: "hook-\(UUID().uuidString).sh").string
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        return file
    }

    private func hook(_ command: [String], _ change: (inout HookSettings) -> Void = { _ in }) -> HookRunner {
        var settings = HookSettings(command: command)
        settings.timeout = .seconds(60)
        change(&settings)
        return HookRunner(settings, name: "hook", origin: Self.origin, loop: loop) { [log] in log.add($0) }
    }

    private func event(_ seq: UInt64, _ kind: Event.Kind = .transition) -> Event {
        var event = Event.online
        (event.seq, event.kind) = (seq, kind)
        return event
    }

    private func expect<Value>(_ what: String, _ value: () throws -> Value?) async throws -> Value {
        try await arrival(of: what, seen: "\(log.lines)", value)
    }

    private func content(_ name: String) -> String? {
        try? String(contentsOfFile: folder.path.appending(name).string, encoding: .utf8)
    }

    /// Waits until a process has ended. Whether it is taken from the table of processes is up to its new parent.
    private func ends(_ id: pid_t) async throws {
        _ = try await expect("the end of \(id)") {
            let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
            return status.map { $0.contains(") Z ") || $0.contains(") X ") } ?? true ? true : nil
        }
    }

    @Test(
        "gets the event's line, a small environment of its own, and nothing else of the service",
        .timeLimit(.minutes(2)))
    func start() async throws {
        let out = folder.path.string
        let hook = hook([
            try script("cat > \(out)/line; env > \(out)/env; pwd > \(out)/pwd; echo \"$1\" > \(out)/done"), "a;b $c",
        ])
        hook.take(event(3))
        #expect(
            try await expect("the argument") { content("done").flatMap { $0.hasSuffix("\n") ? $0 : nil } } == "a;b $c\n"
        )
        #expect(content("line") == String(decoding: event(3).jsonLine(of: Self.origin), as: UTF8.self))
        let names = Set(
            (content("env") ?? "").split(separator: "\n").compactMap { $0.split(separator: "=").first.map(String.init) }
        )
        let own: Set = ["PWD", "OLDPWD", "SHLVL", "_"]
        #expect(
            names.subtracting(own) == [
                "PATH", "LANG", "NETWATCH_EVENT_KIND", "NETWATCH_SEQ", "NETWATCH_EPOCH", "NETWATCH_REACHABILITY",
                "NETWATCH_CONNECTIVITY",
            ])
        #expect(content("env")?.contains("NETWATCH_EVENT_KIND=transition\n") == true)
        #expect(content("env")?.contains("NETWATCH_SEQ=3\n") == true && content("pwd") == "/\n")
        await hook.finish()
    }

    @Test(
        "inherits no descriptor, no blocked and no ignored signal, and leads a process group of its own",
        .timeLimit(.minutes(2)))
    func inheritance() async throws {
        // As the service has them.
        signal(SIGPIPE, SIG_IGN)
        let secret = open("/dev/null", O_RDONLY)
        defer { close(secret) }
        let list = hook(["/bin/ls", "/proc/self/fd"])
        list.take(event(1))
        _ = try await expect("the descriptors") { log.lines.count >= 5 ? true : nil }
        // The fourth is the folder that is listed.
        #expect(Array(log.lines.prefix(4)) == ["hook: 0", "hook: 1", "hook: 2", "hook: 3"])
        let status = hook(["/bin/grep", "-E", "^(SigBlk|SigIgn):", "/proc/self/status"])
        status.take(event(1))
        _ = try await expect("the signals") { log.lines.count >= 8 ? true : nil }
        let blocked = log.lines.first { $0.contains("SigBlk") }.flatMap { UInt64($0.suffix(16), radix: 16) }
        let ignored = log.lines.first { $0.contains("SigIgn") }.flatMap { UInt64($0.suffix(16), radix: 16) }
        // glibc keeps the two signals of its own threads to itself, 32 and 33: what posix_spawn(3) started has them ignored.
        #expect(blocked == 0 && ignored.map { $0 & ~0x1_8000_0000 } == 0, "\(log.lines)")
        let group = hook([try script("ps -o pid=,pgid= -p $$ 2>/dev/null || cut -d' ' -f1,5 /proc/$$/stat")])
        group.take(event(1))
        let line = try await expect("the group") { log.lines.count >= 10 ? log.lines[8] : nil }
        let numbers = line.dropFirst("hook: ".count).split(separator: " ")
        #expect(numbers.count == 2 && numbers.first == numbers.last, "\(line)")
    }

    @Test("may have as many files open as this program was given, and not as many as it took", .timeLimit(.minutes(2)))
    func files() async throws {
        let given = DescriptorLimit.beforeRaise
        DescriptorLimit.raise()
        let soft = try #require(given ?? DescriptorLimit.beforeRaise)
        var limit = rlimit()
        #expect(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        #expect(limit.rlim_cur == limit.rlim_max)
        let hook = hook([try script("ulimit -Sn; ulimit -Hn")])
        hook.take(event(1))
        _ = try await expect("the limits") { log.lines.count >= 2 ? true : nil }
        #expect(Array(log.lines.prefix(2)) == ["hook: \(soft)", "hook: \(limit.rlim_max)"])
        await hook.finish()
    }

    @Test(
        "runs once at a time and in the order of the events, and only for those that are chosen",
        .timeLimit(.minutes(2)))
    func order() async throws {
        let out = folder.path.appending("order").string
        let file = try script(
            "[ -e \(out).lock ] && echo overlap >> \(out); : > \(out).lock; echo $NETWATCH_SEQ >> \(out); sleep 0.02; rm \(out).lock"
        )
        let hook = hook([file]) { $0.filter.kinds = [.transition, .target] }
        hook.take(event(1, .snapshot))
        for seq in 2...9 { hook.take(event(UInt64(seq), seq == 5 ? .path : .transition)) }
        let wanted = "2\n3\n4\n6\n7\n8\n9\n"
        #expect(
            try await expect("all of them") { content("order").flatMap { $0.count >= wanted.count ? $0 : nil } }
                == wanted)
        await hook.finish()
    }

    @Test("a line for each change of how it fares, and none for each run", .timeLimit(.minutes(2)))
    func changes() async throws {
        let mark = folder.path.appending("good").string
        let count = folder.path.appending("count").string
        let hook = hook([try script("echo >> \(count); [ -e \(mark) ] || exit 3")])
        for seq in 1...5 { hook.take(event(UInt64(seq))) }
        _ = try await expect("five runs") { content("count")?.count == 5 && hook.health.isWell == false ? true : nil }
        _ = try folder.write([], to: "good")
        for seq in 6...9 { hook.take(event(UInt64(seq))) }
        _ = try await expect("nine runs") { content("count")?.count == 9 && hook.health.isWell == true ? true : nil }
        #expect(log.lines.count == 2, "\(log.lines)")
        #expect(
            log.lines.first?.hasSuffix("ends with the status 3") == true
                && log.lines.last?.hasSuffix("does its work") == true)
        await hook.finish()
    }

    @Test("what cannot be run is told once, and holds up nothing", .timeLimit(.minutes(2)))
    func missing() async throws {
        let paths = [folder.path.appending("missing").string, folder.path.string, try script("true", mode: 0o644)]
        for path in paths {
            let hook = hook([path])
            for seq in 1...20 { hook.take(event(UInt64(seq))) }
            _ = try await expect("the failure") {
                log.lines.contains { $0.contains("\(path) cannot be run: ") } ? true : nil
            }
            await hook.finish()
        }
        #expect(log.lines.filter { $0.contains("cannot be run") }.count == 3, "\(log.lines)")
        #expect(HookSettings(command: [paths[0]]).flaw?.contains("No such file") == true)
        #expect(HookSettings(command: [paths[1]]).flaw?.contains("folder") == true)
        #expect(HookSettings(command: ["/bin/sh"]).flaw == nil)
    }

    @Test(
        "one that runs for too long is ended, with all that it has started, whatever it does with SIGTERM",
        .timeLimit(.minutes(2)))
    func timeout() async throws {
        let file = try script(
            "trap '' TERM; echo $$ > \(folder.path)/own; sleep 600 & echo $! > \(folder.path)/other; wait; wait; sleep 600"
        )
        let hook = hook([file]) { $0.timeout = .milliseconds(700) }
        hook.take(event(1))
        _ = try await expect("the end") { log.lines.contains { $0.contains("was still running") } ? true : nil }
        for name in ["own", "other"] {
            let id = try #require(content(name).flatMap { pid_t($0.trimmingCharacters(in: .newlines)) })
            try await ends(id)
        }
        #expect(hook.health.isWell == false)
    }

    @Test("one that leaves its process group is ended all the same, and holds up nothing", .timeLimit(.minutes(2)))
    func leaving() async throws {
        let leave = "import os, time; os.setpgid(0, os.getpgid(os.getppid())); print(os.getpid(), flush=True)"
        let file = try script("exec /usr/bin/python3 -c '\(leave); time.sleep(600)'")
        let hook = hook([file]) { $0.timeout = .seconds(2) }
        hook.take(event(1))
        _ = try await expect("the end") { log.lines.contains { $0.contains("was still running") } ? true : nil }
        let id = try await expect("its number") { log.lines.compactMap { pid_t($0.dropFirst("hook: ".count)) }.first }
        try await ends(id)
        await hook.finish()
    }

    @Test(
        "what it leaves behind in its process group is ended with it; what left the group holds up nothing",
        .timeLimit(.minutes(2)))
    func leftovers() async throws {
        let hook = hook([try script("sleep 600 & echo $! > \(folder.path)/group; setsid sleep 20 & exit 0")])
        hook.take(event(1))
        _ = try await expect("the end") { hook.health.isWell == true ? true : nil }
        try await ends(try #require(content("group").flatMap { pid_t($0.trimmingCharacters(in: .newlines)) }))
        await hook.finish()
    }

    @Test(
        "one that reads nothing of a large event does its work; of one that prints much the beginning is told",
        .timeLimit(.minutes(2)))
    func sizes() async throws {
        var large = event(1)
        large.targets = (0..<20_000).map { TargetHealth(target: "target-\($0)", status: .down) }
        let reader = hook(["/bin/true"])
        reader.take(large)
        _ = try await expect("the end") { reader.health.isWell == true ? true : nil }
        let printer = hook([try script("echo first; head -c 50000000 /dev/zero | tr '\\0' 'x'")])
        printer.take(event(2))
        let last = try await expect("the end") { log.lines.first { $0.contains("bytes more") } }
        #expect(last == "hook: … and \(50_000_006 - HookOutput.most) bytes more")
        #expect(log.lines.contains("hook: first") && log.lines.map(\.utf8.count).reduce(0, +) < 6000)
    }

    @Test(
        "a storm of events costs no more than the queue: what is given up is counted and told once",
        .timeLimit(.minutes(2)))
    func storm() async throws {
        let (out, gate) = (folder.path.appending("runs").string, folder.path.appending("gate").string)
        let work = "while [ $NETWATCH_SEQ = 1 ] && [ ! -e \(gate) ]; do sleep 0.05; done"
        let hook = hook([try script("echo $NETWATCH_SEQ >> \(out); \(work)")])
        hook.take(event(1))
        _ = try await expect("the first run") { content("runs") }
        for seq in 2...10_000 { hook.take(event(UInt64(seq))) }
        try "".write(toFile: gate, atomically: false, encoding: .utf8)
        _ = try await expect("the last run") { content("runs")?.hasSuffix("\n10000\n") == true ? true : nil }
        let given = 9_999 - HookQueue.most
        _ = try await expect("the count") { log.lines.contains { $0.contains("\(given) are given up") } ? true : nil }
        let runs = (content("runs") ?? "").split(separator: "\n").compactMap { Int($0) }
        #expect(runs == [1] + Array((10_001 - HookQueue.most)...10_000))
        #expect(log.lines.filter { $0.contains("given up") }.count == 1)
        await hook.finish()
    }

    @Test("at the end what runs has some seconds, and what waits is given up", .timeLimit(.minutes(2)))
    func end() async throws {
        let hook = hook([try script("trap '' TERM; echo $$ > \(folder.path)/own; while :; do sleep 1; done")])
        for seq in 1...3 { hook.take(event(UInt64(seq))) }
        let id = try await expect("the run") { content("own").flatMap { pid_t($0.trimmingCharacters(in: .newlines)) } }
        await hook.finish()
        #expect(kill(id, 0) != 0)
        #expect(log.lines.contains { $0.contains("2 events are given up") }, "\(log.lines)")
    }

    @Test("the queue counts what an event names, too")
    func weight() {
        var queue = HookQueue()
        var large = Event.online
        large.targets = (0..<HookQueue.heaviest).map { TargetHealth(target: "\($0)", status: .up) }
        #expect(queue.append(large) == HookQueue.News(wakes: true, dropped: 0))
        #expect(queue.append(large) == HookQueue.News(wakes: false, dropped: 1))
        #expect(queue.next() != nil && queue.takeDropped() == 1 && queue.takeDropped() == nil)
        #expect(queue.next() == nil && queue.append(.online).wakes)
    }
}
