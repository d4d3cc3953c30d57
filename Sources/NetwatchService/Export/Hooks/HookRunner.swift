import Connectivity
import EventLoop
import Glibc
import Netwatch
import Reachability
import Synchronization
import SystemPackage

/// Runs a program for each event that it is to be told of, one after the other and on a loop of its own: neither what it does
/// nor how long it takes delays anything else.
actor HookRunner: TellingExporter {
    /// How long what runs may go on once the service ends, and when it is ended without being asked.
    private static let farewell = Duration.seconds(3)
    /// When the end of what runs is not waited for any more.
    private static let patience = Duration.seconds(6)

    /// What may be otherwise in a moment: something writes to the program's file, or this host is short of something.
    private static let passing: Set<Errno> = [
        .textFileBusy, .resourceTemporarilyUnavailable, .noMemory, .tooManyOpenFiles, .tooManyOpenFilesInSystem,
    ]
    private static let mostAttempts = 5
    private static let respite = Duration.milliseconds(200)

    nonisolated let health: ExportHealth
    private nonisolated let settings: HookSettings
    private nonisolated let filter: EventFilter
    nonisolated let loop: EventLoop
    private nonisolated let queue = Mutex(HookQueue())
    private let origin: EventOrigin
    private let tell: @Sendable (String) -> Void
    private var run: HookRun?
    /// An event whose program could not be started, and is started again in a moment.
    private var delayed: Event?
    private var pace = LogPace()
    private var isStopping = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - name: What the log and the metrics call it.
    ///   - loop: Where programs are started and watched: not the watcher's.
    ///   - tell: Takes a line for the log.
    init(
        _ settings: HookSettings, name: String, origin: EventOrigin, loop: EventLoop,
        tell: @escaping @Sendable (String) -> Void = { StandardStreams.tell($0) }
    ) {
        self.settings = settings
        self.origin = origin
        self.loop = loop
        self.tell = tell
        filter = settings.filter
        health = ExportHealth(name, tell: tell)
    }

    nonisolated func start(after event: Event?) {}

    nonisolated func take(_ event: Event) {
        guard filter.wants(event) else { return }
        let news = queue.withLock { $0.append(event) }
        if news.dropped > 0 { health.dropped(news.dropped) }
        // Both on the hook's own loop, so that an older number never comes last.
        loop.schedule(after: .zero) { [weak self] in
            self?.assumeIsolated { if news.wakes { $0.runNext() } else { $0.tellQueue() } }
        }
    }

    /// Gives all up that waits, and has what runs end within five seconds.
    func finish() async {
        isStopping = true
        let left = queue.withLock { $0.removeAll() } + (delayed.take() == nil ? 0 : 1)
        if left > 0 {
            health.dropped(left, because: "\(left) events are given up: it ends, or has another configuration")
        }
        guard let run else { return }
        run.shorten(to: Self.farewell, handler)
        loop.schedule(after: Self.patience) { [weak self] in self?.assumeIsolated { $0.release() } }
        await withCheckedContinuation { waiters.append($0) }
    }

    // MARK: Runs

    private func runNext() {
        guard run == nil, delayed == nil, !isStopping else { return }
        let (event, dropped, count) = queue.withLock { queue in
            let event = queue.next()
            return (event, queue.takeDropped(), queue.count)
        }
        if let dropped { tell("\(health.name): events come faster than it runs: \(dropped) are given up") }
        health.queued(count)
        if let event { start(for: event, attempt: 1) }
    }

    private func tellQueue() { health.queued(queue.withLock { $0.count }) }

    private func start(for event: Event, attempt: Int) {
        do throws(Errno) {
            let program = try SpawnedProgram.start(
                settings.command, environment: HookEnvironment.variables(of: event, origin),
                input: event.jsonLine(of: origin))
            try watch(program)
        } catch {
            guard Self.passing.contains(error), attempt < Self.mostAttempts else {
                return take(.notStarted(error), HookOutput())
            }
            delayed = event
            loop.schedule(after: Self.respite * attempt) { [weak self] in
                self?.assumeIsolated { $0.startAgain(attempt: attempt + 1) }
            }
        }
    }

    private func startAgain(attempt: Int) {
        if let event = delayed.take() { start(for: event, attempt: attempt) }
    }

    private func watch(_ program: SpawnedProgram) throws(Errno) {
        let run = HookRun(program, timeout: settings.timeout, loop: loop) { [weak self] outcome, output in
            self?.assumeIsolated { $0.take(outcome, output) }
        }
        do throws(EventLoopError) { try run.watch(handler) } catch {
            _ = run.abandon()
            throw .noMemory
        }
        self.run = run
    }

    private nonisolated var handler: @Sendable (HookRun.Part) -> Void {
        { [weak self] part in self?.assumeIsolated { $0.look(at: part) } }
    }

    private func look(at part: HookRun.Part) {
        run?.look(at: part, handler)
    }

    private func take(_ outcome: HookOutcome, _ output: HookOutput) {
        run = nil
        for line in output.lines { log(line) }
        let words = "\(settings.command.first ?? "") \(outcome.words)"
        if outcome.isSuccess {
            health.succeeded(words)
            health.sent()
        } else {
            health.failed(words)
        }
        release()
        // Not from here: a program that cannot be started would be tried ever deeper.
        loop.schedule(after: .zero) { [weak self] in self?.assumeIsolated { $0.runNext() } }
    }

    private func release() {
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    /// What programs print floods no log.
    private func log(_ line: String) {
        guard pace.allows(at: .now) else { return }
        let missing = pace.takeLeftOut()
        if missing > 0 { tell("\(health.name): \(missing) lines of its output are left out") }
        tell("\(health.name): \(line)")
    }
}

/// The environment of a hook: of the service's own, which may have secrets in it, it gets nothing.
private enum HookEnvironment {
    static func variables(of event: Event, _ origin: EventOrigin) -> [String] {
        [
            "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8",
            "NETWATCH_EVENT_KIND=\(event.kind.rawValue)", "NETWATCH_SEQ=\(event.seq)", "NETWATCH_EPOCH=\(origin.epoch)",
            "NETWATCH_REACHABILITY=\(event.reachability.rawValue)",
            "NETWATCH_CONNECTIVITY=\(event.connectivity.rawValue)",
        ]
    }
}
