import EventLoop
import Glibc

/// One run of a hook, watched on a loop: what it prints, how long it takes, its end. For the loop's thread.
final class HookRun {
    /// From the request to end to the end without one.
    private static let patience = Duration.seconds(2)

    private let program: SpawnedProgram
    private let loop: EventLoop
    private let timeout: Duration
    private let whenOver: (HookOutcome, HookOutput) -> Void
    private var output = HookOutput()
    private var watches: [Watch] = []
    private var timer: LoopTimer?
    private var deadline: MonotonicTime
    private var isOverdue = false

    /// - Parameter whenOver: Called on the loop's thread, once.
    init(
        _ program: SpawnedProgram, timeout: Duration, loop: EventLoop,
        whenOver: @escaping (HookOutcome, HookOutput) -> Void
    ) {
        self.program = program
        self.loop = loop
        self.timeout = timeout
        self.whenOver = whenOver
        deadline = .now.advanced(by: timeout)
    }

    /// - Parameter handler: Has the run look at what is ready, on the loop's thread.
    func watch(_ handler: @escaping @Sendable (Part) -> Void) throws(EventLoopError) {
        watches.append(try loop.watch(program.end, for: .readable) { _ in handler(.end) })
        watches.append(try loop.watch(program.output, for: .readable) { _ in handler(.output) })
        planEnd(handler)
    }

    /// What there is to look at.
    enum Part: Sendable {
        case output, end, deadline
    }

    func look(at part: Part, _ handler: @escaping @Sendable (Part) -> Void) {
        switch part {
        case .output: if !read() { endWatch(1) }
        case .end: conclude()
        case .deadline:
            program.signal(isOverdue ? SIGKILL : SIGTERM)
            isOverdue = true
            deadline = .now.advanced(by: Self.patience)
            planEnd(handler)
        }
    }

    /// Has it end within a time, whatever its own limit is.
    func shorten(to limit: Duration, _ handler: @escaping @Sendable (Part) -> Void) {
        guard !isOverdue else { return }
        deadline = min(deadline, .now.advanced(by: limit))
        planEnd(handler)
    }

    /// Ends it at once.
    func abandon() -> HookOutcome {
        endAll()
        program.signal(SIGKILL)
        return program.conclude()
    }

    // MARK: Parts

    private func planEnd(_ handler: @escaping @Sendable (Part) -> Void) {
        timer.map(loop.cancel)
        timer = loop.schedule(at: deadline) { handler(.deadline) }
    }

    private func conclude() {
        // What it printed last; what others that have its streams print later is not its own.
        _ = read()
        endAll()
        let outcome = program.conclude()
        whenOver(isOverdue ? .timedOut(timeout) : outcome, output)
    }

    /// Reads a piece, so that a program that prints without end holds up nothing else.
    ///
    /// - Returns: Whether there may be more.
    private func read() -> Bool {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe Glibc.read(program.output, &piece, piece.count)
        if count > 0 { output.append(piece[..<count]) }
        return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
    }

    private func endWatch(_ index: Int) {
        loop.end(watches[index])
    }

    private func endAll() {
        for watch in watches { loop.end(watch) }
        watches = []
        timer.map(loop.cancel)
        timer = nil
    }
}
