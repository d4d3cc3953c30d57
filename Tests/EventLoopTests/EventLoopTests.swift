import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite("The event loop")
struct EventLoopTests {
    @Test("an actor that names the loop as its executor runs on its thread")
    func actorIsolation() async throws {
        let probe = Probe(loop: try EventLoop())
        #expect(await probe.isOnLoop)
    }

    @Test("code off the loop is told so")
    func offLoop() throws {
        let loop = try EventLoop()
        #expect(loop.isIsolatingCurrentContext() == false)
    }

    @Test("a timer fires once, after its delay and on the loop's thread")
    func timer() async throws {
        let loop = try EventLoop()
        let start = MonotonicTime.now
        let isOnLoop = await withCheckedContinuation { continuation in
            loop.schedule(after: .milliseconds(20)) {
                continuation.resume(returning: loop.isIsolatingCurrentContext() ?? false)
            }
        }
        #expect(isOnLoop)
        #expect(start.duration(to: .now) >= .milliseconds(20))
    }

    @Test("a cancelled timer does not fire")
    func cancelledTimer() async throws {
        let loop = try EventLoop()
        let fired = Counter()
        let timer = loop.schedule(after: .milliseconds(10)) { fired.increment() }
        loop.cancel(timer)
        try await loop.sleep(for: .milliseconds(40))
        #expect(fired.value == 0)
    }

    @Test("timers fire in the order of their times, equal ones in the order they were made")
    func timerOrder() async throws {
        let loop = try EventLoop()
        let order = Mutex<[Int]>([])
        let start = MonotonicTime.now
        for (name, delay) in [(3, 30), (1, 10), (2, 20)] {
            loop.schedule(at: start.advanced(by: .milliseconds(delay))) { order.withLock { $0.append(name) } }
        }
        try await loop.sleep(until: start.advanced(by: .milliseconds(60)))
        #expect(order.withLock { $0 } == [1, 2, 3])
    }

    @Test("a cancelled sleep ends at once with a cancellation error")
    func cancelledSleep() async throws {
        let loop = try EventLoop()
        let start = MonotonicTime.now
        let task = Task { try await loop.sleep(for: .seconds(30)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(start.duration(to: .now) < .seconds(28))
    }

    @Test("a descriptor that becomes readable is told until its watch ends")
    func watch() async throws {
        let loop = try EventLoop()
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let reading = ends[0]
        let count = Counter()
        let watch = try loop.watch(reading, for: .readable) { readiness in
            #expect(readiness.contains(.readable))
            var byte: UInt8 = 0
            _ = read(reading, &byte, 1)
            count.increment()
        }
        write(ends[1], "x", 1)
        try await loop.sleep(for: .milliseconds(20))
        #expect(count.value == 1)
        loop.end(watch)
        write(ends[1], "x", 1)
        try await loop.sleep(for: .milliseconds(20))
        #expect(count.value == 1)
    }

    @Test("the first of all that may end a wait does, and the others are let go")
    func firstOutcome() async throws {
        let loop = try EventLoop()
        let early = FirstOutcome<String>(loop: loop)
        early.finish("early")
        let first = await early.value(ifCancelled: "cancelled") { _ in Issue.record("it has ended before") }
        #expect(first == "early")
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let (reader, writer) = (ends[0], ends[1])
        let calls = Counter()
        let wait = FirstOutcome<String>(loop: loop)
        let outcome = await wait.value(ifCancelled: "cancelled") { wait in
            wait.finish("late", at: .now.advanced(by: .seconds(30)))
            do throws(EventLoopError) {
                try wait.watch(reader, for: .readable) {
                    calls.increment()
                    $0.finish("ready")
                }
            } catch {
                wait.finish("\(error)")
            }
            write(writer, "x", 1)
        }
        #expect(outcome == "ready")
        // What is still there to read calls no handler, and no other outcome changes anything.
        wait.finish("again")
        try await loop.sleep(for: .milliseconds(20))
        #expect(calls.value == 1)
        let cancelled = Task { await FirstOutcome<String>(loop: loop).value(ifCancelled: "cancelled") { _ in } }
        cancelled.cancel()
        #expect(await cancelled.value == "cancelled")
    }

    @Test("a signal is waited for until it is sent, or the time is over")
    func signal() throws {
        let loop = try EventLoop()
        let done = Signal()
        let start = MonotonicTime.now
        #expect(!done.wait(until: start.advanced(by: .milliseconds(20))))
        #expect(start.duration(to: .now) >= .milliseconds(20))
        loop.schedule(after: .zero) { done.send() }
        EventLoop.wait(for: done)
        done.send()
        #expect(done.wait(until: start))
    }

    @Test("a descriptor that is not open cannot be watched, and the error names it")
    func badDescriptor() throws {
        let loop = try EventLoop()
        #expect(throws: EventLoopError.self) { try loop.watch(-1, for: .readable) { _ in } }
    }

    @Test("the thread ends with the last reference to the loop", .timeLimit(.minutes(1)))
    func threadEnds() async throws {
        let name = "lp\(UInt32.random(in: 0...0xFFFF))"
        func isRunning() throws -> Bool {
            try Command.run(["sh", "-c", "cat /proc/\(getpid())/task/*/comm 2>/dev/null; true"]).contains(name)
        }
        do {
            let loop = try EventLoop(name: name)
            try await loop.sleep(for: .milliseconds(1))
            #expect(try isRunning())
        }
        try await expectSoon("its end") { try !isRunning() }
    }

    @Test(
        "the loop's thread lives in the namespace it was given",
        .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"))
    func namespace() async throws {
        let namespace = try TestNamespace()
        try namespace.run("ip", "link", "add", "only-here", "type", "veth")
        let probe = Probe(loop: try EventLoop(networkNamespace: namespace.descriptor))
        #expect(await probe.hasLink("only-here"))
        #expect(if_nametoindex("only-here") == 0)
    }
}

private actor Probe {
    let loop: EventLoop

    init(loop: EventLoop) {
        self.loop = loop
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    var isOnLoop: Bool { loop.isIsolatingCurrentContext() ?? false }

    func hasLink(_ name: String) -> Bool { if_nametoindex(name) != 0 }
}

final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    func increment() { count.add(1, ordering: .relaxed) }

    var value: Int { count.load(ordering: .relaxed) }
}
