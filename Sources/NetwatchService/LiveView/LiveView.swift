package import Connectivity
package import EventLoop
import Glibc

/// Draws the screen when something is told: an event, the end of a probe, a key, another size of the window. In between
/// only the ages change, and only while a person looks.
package actor LiveView: EventSink {
    /// From one drawing to the next while probes end all the time.
    private static let pause: Duration = .milliseconds(200)
    /// How long the rest of a sequence may take: Escape alone is a key, too.
    private static let sequenceTime: Duration = .milliseconds(200)
    /// For how long a key shows that a person looks, where the terminal does not say so.
    private static let attention: Duration = .seconds(60)

    private let loop: EventLoop
    private let output: LineOutput
    private let terminal: Terminal
    private let style: Style
    /// Asks the monitor for all targets, of which an event tells those that it is about.
    private let state: @Sendable () -> Event
    private var screen: Screen
    private var keys = KeyReader()
    private var lastKeys = MonotonicTime(nanoseconds: 0)
    private var keyWatch: Watch?
    private var isEntered = false
    private var isDrawing = false
    private var isStale = false
    private var lastDrawing = MonotonicTime(nanoseconds: 0)
    private var timer: LoopTimer?
    /// The last drawing that a timer began.
    private var drawing: Task<Void, Never>?
    private var plannedAt = MonotonicTime(nanoseconds: 0)
    /// Until when a person is known to look.
    private var watchedUntil = MonotonicTime(nanoseconds: 0)
    private var hasQuit = false
    private var quitWaiter: CheckedContinuation<Void, Never>?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    package init(
        output: LineOutput, terminal: Terminal, style: Style, title: String, state: @escaping @Sendable () -> Event,
        loop: EventLoop
    ) {
        self.loop = loop
        self.state = state
        self.output = output
        self.terminal = terminal
        self.style = style
        screen = Screen(title: title)
    }

    package nonisolated func accept(_ event: Event) throws -> EventRemainder? {
        { try await self.take(event) }
    }

    private func take(_ event: Event) async throws {
        screen.show(event.withTargets(of: state()))
        if !isEntered { enter() }
        try await draw()
    }

    /// Follows the results of probes that lead to no event, until they end.
    package func follow(_ results: AsyncStream<ProbeResult>) async {
        for await result in results {
            screen.record(result)
            drawSoon(after: Self.pause)
        }
    }

    /// Returns when a person has asked for the end, or when the task is cancelled.
    package func waitForQuit() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !hasQuit, !Task.isCancelled else { return continuation.resume() }
                quitWaiter = continuation
            }
        } onCancel: {
            loop.schedule(after: .zero) { [weak self] in self?.assumeIsolated { $0.quit() } }
        }
    }

    private func quit() {
        hasQuit = true
        quitWaiter.take()?.resume()
    }

    /// Leaves the alternate screen.
    package func finish() async {
        stopWatchingKeys()
        if let timer { loop.cancel(timer) }
        timer = nil
        // What is left of a frame would come onto the screen of the shell.
        drawing?.cancel()
        await drawing?.value
        terminal.leave()
    }

    private func enter() {
        isEntered = true
        if terminal.enter() { watchKeys() }
    }

    /// Draws anew, because the window's size has changed.
    func windowChanged() {
        drawSoon(after: .zero)
    }

    /// Gives the terminal back and stops, as Ctrl-Z asks for, until the program is told to go on.
    func suspend() async {
        stopWatchingKeys()
        terminal.leave()
        JobControl.stop(by: SIGTSTP)
        await resume()
    }

    /// Takes the screen again, because the program goes on after it was stopped.
    func resume() async {
        guard isEntered else { return }
        enter()
        windowChanged()
    }

    // MARK: Keys

    private func watchKeys() {
        guard keyWatch == nil, terminal.hasKeys else { return }
        keyWatch = try? loop.watch(terminal.input, for: .readable) { [weak self] readiness in
            self?.assumeIsolated { $0.readKeys(readiness) }
        }
    }

    private func stopWatchingKeys() {
        if let keyWatch { loop.end(keyWatch) }
        keyWatch = nil
    }

    private func readKeys(_ readiness: Readiness) {
        let bytes = terminal.typed()
        if lastKeys.advanced(by: Self.sequenceTime) < .now { keys = KeyReader() }
        lastKeys = .now
        // The terminal is gone, or another program is in front: what is typed is for that one.
        if !terminal.hasKeys || !readiness.isDisjoint(with: .failed) { stopWatchingKeys() }
        guard !bytes.isEmpty else { return }
        watchedUntil = max(watchedUntil, .now.advanced(by: Self.attention))
        for byte in bytes {
            guard let command = keys.take(byte) else { continue }
            obey(command)
        }
        drawSoon(after: .zero)
    }

    private func obey(_ command: LiveCommand) {
        let size = terminal.size
        switch command {
        case .quit: quit()
        case .scroll(let movement): screen.scroll(movement, width: size.width, height: size.height)
        case .focus(let isLookedAt):
            watchedUntil = isLookedAt ? MonotonicTime(nanoseconds: .max) : .now
        }
    }

    // MARK: Drawing

    /// Draws what is known now. A drawing that is asked for while a slow terminal takes another one comes after it.
    private func draw() async throws {
        isStale = true
        guard !isDrawing, terminal.isTaken else { return }
        isDrawing = true
        defer {
            isDrawing = false
            planAges()
        }
        while isStale, terminal.isTaken, !Task.isCancelled {
            isStale = false
            lastDrawing = .now
            try await output.write(frame())
        }
    }

    /// Draws at once, or when so much time has passed since the last drawing.
    private func drawSoon(after pause: Duration) {
        plan(at: max(lastDrawing.advanced(by: pause), .now))
    }

    /// Ages change with each second, while a person sees them.
    private func planAges() {
        guard screen.hasAges, watchedUntil > .now else { return }
        plan(at: lastDrawing.advanced(by: .seconds(1)))
    }

    private func plan(at deadline: MonotonicTime) {
        guard isEntered else { return }
        if let timer {
            guard deadline < plannedAt else { return }
            loop.cancel(timer)
        }
        plannedAt = deadline
        timer = loop.schedule(at: deadline) { [weak self] in self?.assumeIsolated { $0.drawPlanned() } }
    }

    private func drawPlanned() {
        timer = nil
        guard !isDrawing else {
            isStale = true
            return
        }
        drawing = Task(executorPreference: loop) { try? await self.draw() }
    }

    private func frame() -> [UInt8] {
        let size = terminal.size
        let lines = screen.lines(width: size.width, height: size.height, style: style, hint: hint)
        return Array(Terminal.frame(lines, height: size.height).utf8)
    }

    private var hint: String {
        guard keyWatch != nil else { return "Ctrl-C ends" }
        return style.usesUnicode ? "q ends, ↑ ↓ scroll" : "q ends, j k scroll"
    }
}
