import EventLoop
import Foundation
import Testing

@Suite("The scheduling of a thread")
struct ThreadSchedulingTests {
    @Test(
        "who goes first has short turns, who goes last long ones and a lower priority",
        .enabled(if: Turn.isKnown, "this kernel knows no turns of a thread's own (Linux 6.12), or does not show them"))
    func turns() async throws {
        let loop = try EventLoop()
        let ordinary = await Turn.present(on: loop) {}
        let first = await Turn.present(on: loop, after: ThreadScheduling.goFirst)
        let last = await Turn.present(on: loop, after: ThreadScheduling.goLast)
        #expect(try #require(first) < #require(ordinary))
        #expect(last == ordinary)
        #expect(await Turn.niceness(on: loop) == 5)
        #expect(await Turn.policy(on: loop) == Turn.batch)
    }
}

/// What the kernel says of the present thread.
private enum Turn {
    static var isKnown: Bool {
        let release = (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)) ?? ""
        let version = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
        return present != nil && !version.lexicographicallyPrecedes([6, 12])
    }

    /// SCHED_BATCH and SCHED_RESET_ON_FORK (linux/sched.h), which are not to be seen from here.
    static let batch: CInt = 3
    private static let resetOnFork: CInt = 0x4000_0000

    /// How long its turn is at most, in nanoseconds.
    static var present: Int? {
        guard let text = try? String(contentsOfFile: "/proc/thread-self/sched", encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("se.slice") }
        return line.flatMap { $0.split(separator: ":").last }.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    }

    static func present(on loop: EventLoop, after change: @escaping @Sendable () -> Void) async -> Int? {
        await withCheckedContinuation { continuation in
            loop.schedule(after: .zero) {
                change()
                continuation.resume(returning: present)
            }
        }
    }

    static func policy(on loop: EventLoop) async -> CInt {
        await withCheckedContinuation { continuation in
            loop.schedule(after: .zero) { continuation.resume(returning: sched_getscheduler(0) & ~resetOnFork) }
        }
    }

    static func niceness(on loop: EventLoop) async -> CInt {
        await withCheckedContinuation { continuation in
            loop.schedule(after: .zero) { continuation.resume(returning: getpriority(CInt(PRIO_PROCESS.rawValue), 0)) }
        }
    }
}
