#if Service
package import Connectivity
package import EventLoop
import Glibc

/// Draws the screen on every event and whenever the window changes, never in between.
package actor LiveView: EventSink {
    private let loop: EventLoop
    private let output: LineOutput
    private let terminal: Terminal
    private let style: Style
    /// Asks the monitor for all targets, of which an event tells those that it is about.
    private let state: @Sendable () -> Event
    private var screen: Screen
    private var isEntered = false
    private var isDrawing = false
    private var isStale = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

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

    /// Leaves the alternate screen.
    package func finish() async {
        terminal.leave()
    }

    /// Takes the screen. From the background it would be drawn over what is there: there this program is stopped, as the
    /// kernel stops those that change the terminal.
    private func enter() {
        isEntered = true
        if terminal.isInBackground { JobControl.stop(by: SIGTTOU) }
        if !terminal.isInBackground { terminal.enter() }
    }

    /// Draws anew, because the window's size has changed.
    func windowChanged() async {
        guard isEntered else { return }
        // A terminal that is gone ends the program where events are written.
        try? await draw()
    }

    /// Gives the terminal back and stops, as Ctrl-Z asks for, until the program is told to go on.
    func suspend() async {
        terminal.leave()
        JobControl.stop(by: SIGTSTP)
        await resume()
    }

    /// Takes the screen again, because the program goes on after it was stopped.
    func resume() async {
        guard isEntered else { return }
        enter()
        await windowChanged()
    }

    /// Draws what is known now. A drawing that is asked for while a slow terminal takes another one comes after it.
    private func draw() async throws {
        isStale = true
        guard !isDrawing, terminal.isTaken else { return }
        isDrawing = true
        defer { isDrawing = false }
        while isStale, terminal.isTaken, !Task.isCancelled {
            isStale = false
            try await output.write(frame())
        }
    }

    private func frame() -> [UInt8] {
        let size = terminal.size
        let lines = screen.lines(width: size.width, height: size.height, style: style)
        return Array(("\u{1B}[H" + lines.joined(separator: "\u{1B}[K\r\n") + "\u{1B}[K\u{1B}[J").utf8)
    }
}
#endif
