import EventLoop
import Foundation
import RequestCore
import Synchronization
import TestSupport
import Testing

/// Holds tasks still, lets them go on and cancels them, from several threads at once: 20,000 times, or as often as
/// `NETWATCH_TASK_OPERATIONS` says.
@Suite("Tasks under stress", .timeLimit(.minutes(30)))
struct TaskStressTests {
    private static let operations =
        ProcessInfo.processInfo.environment["NETWATCH_TASK_OPERATIONS"].flatMap(Int.init) ?? 20_000
    fileprivate static let taskCount = 400
    private static let threadCount = 4
    fileprivate static let body = [UInt8](repeating: 120, count: 64 << 10)

    /// Counts the ends of each task.
    private final class Ends: EventMonitor {
        let counts = Mutex<[TaskID: Int]>([:])

        func observe(_ event: TaskEvent) {
            if case .completed = event.kind { counts.withLock { $0[event.task, default: 0] += 1 } }
        }
    }

    /// What became of all tasks that there were.
    private struct Outcomes {
        var whole = 0
        var cancelled = 0
        var others: [String] = []
    }

    /// The tasks that there are now, and what became of those before them.
    private final class Slots: Sendable {
        private let tasks: Mutex<[DataTask]>
        private let counts = Mutex(Outcomes())
        private let make: @Sendable () -> DataTask

        init(_ make: @escaping @Sendable () -> DataTask) {
            self.make = make
            tasks = Mutex((0..<TaskStressTests.taskCount).map { _ in make() })
        }

        var all: [DataTask] { tasks.withLock { $0 } }
        var outcomes: Outcomes { counts.withLock { $0 } }

        /// The task of a slot, a new one where the last has come to its end.
        func task(_ slot: Int) async -> DataTask {
            let (task, ended) = tasks.withLock { tasks -> (DataTask, DataTask?) in
                let task = tasks[slot]
                guard task.state == .completed else { return (task, nil) }
                tasks[slot] = make()
                return (tasks[slot], task)
            }
            if let ended { await note(ended) }
            return task
        }

        func note(_ task: DataTask) async {
            do throws(RequestError) {
                let isWhole = try await task.value.body.count == TaskStressTests.body.count
                counts.withLock { if isWhole { $0.whole += 1 } else { $0.others.append("a body that is cut") } }
            } catch {
                counts.withLock {
                    if error.reason == .cancelled { $0.cancelled += 1 } else { $0.others.append("\(error)") }
                }
            }
        }
    }

    private let server: SocketServer
    private let session: Session
    private let ends = Ends()
    private let request: Request

    init() throws {
        server = try SocketServer { connection in
            while connection.readRequest().hasSuffix("\r\n\r\n") {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.body.count)\r\n\r\n")
                connection.send(Self.body)
            }
        }
        var configuration = SessionConfiguration()
        configuration.maximumConnectionsPerHost = 64
        configuration.timeouts = Timeouts()
        configuration.monitors = [ends]
        session = try Session(configuration: configuration, loop: EventLoop())
        request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
    }

    @Test("a task that two threads hold and let go on at once is in the end what it says it is")
    func contention() async throws {
        for _ in 0..<300 {
            var request = request
            request.timeouts.total = .seconds(10)
            let task = session.dataTask(request)
            task.resume()
            await withTaskGroup(of: Void.self) { group in
                for isHolding in [true, false] {
                    group.addTask {
                        for _ in 0..<4 { if isHolding { task.suspend() } else { task.resume() } }
                    }
                }
            }
            task.resume()
            #expect(try await task.value.body.count == Self.body.count)
        }
        #expect(await session.runningTasks.isEmpty)
    }

    @Test("each of 400 tasks has one end, and it is the whole answer or its cancellation, however often it is held")
    func stress() async throws {
        let slots = Slots { [session, request] in session.dataTask(request) }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<Self.threadCount {
                group.addTask {
                    var generator = SeededGenerator(seed: UInt64(number) + 1)
                    for _ in 0..<Self.operations / Self.threadCount {
                        let task = await slots.task(Int.random(in: 0..<Self.taskCount, using: &generator))
                        switch Int.random(in: 0..<100, using: &generator) {
                        case 0: task.cancel()
                        case 1..<45: task.suspend()
                        default: task.resume()
                        }
                    }
                }
            }
        }
        for task in slots.all { task.resume() }
        for task in slots.all { await slots.note(task) }
        let outcomes = slots.outcomes
        #expect(outcomes.others.isEmpty)
        #expect(outcomes.whole > 0 && outcomes.cancelled > 0)
        #expect(ends.counts.withLock { $0.values.allSatisfy { $0 == 1 } })
        #expect(session.tasks.isEmpty)
        #expect(await session.runningTasks.isEmpty)
    }

    @Test(
        "a task that is cancelled as it begins ends as cancelled, at whatever moment, from whatever thread",
        arguments: [false, true])
    func cancelledAtOnce(isIntercepted: Bool) async throws {
        let silent = try SocketServer { connection in
            _ = connection.readRequest()
            _ = connection.readRequest()
        }
        var request = Request(url: try #require(URL(string: "http://127.0.0.1:\(silent.port)/")))
        if isIntercepted { request.interceptors = [ResponseCache(storage: MemoryCache())] }
        for wave in 0..<40 {
            let tasks = (0..<100).map { [request] _ in session.dataTask(request) }
            await withTaskGroup(of: Void.self) { group in
                for half in 0..<2 {
                    group.addTask {
                        var generator = SeededGenerator(seed: UInt64(wave * 2 + half))
                        for task in tasks[(half * 50)..<(half * 50 + 50)] {
                            let pause = Duration.nanoseconds(Int.random(in: 0..<150_000, using: &generator))
                            let end = MonotonicTime.now.advanced(by: pause)
                            task.resume()
                            while MonotonicTime.now < end {}
                            task.cancel()
                        }
                    }
                }
            }
            try await expectSoon("the end of all tasks of wave \(wave)") {
                tasks.allSatisfy { $0.state == .completed }
            }
            for task in tasks { await #expect(throws: RequestError.self) { try await task.value } }
        }
    }
}
