#if Service
package import Connectivity
package import EventLoop
import UnixSignals

/// Draws the screen on every event and whenever the window changes, never in between.
package actor LiveView: EventSink {
    private let loop: EventLoop
    private let output: LineOutput
    private let terminal: Terminal
    private let style: Style
    private var screen: Screen
    private var isEntered = false
    private var isDrawing = false
    private var isStale = false
    private var windowChanges: Task<Void, Never>?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    package init(output: LineOutput, terminal: Terminal, style: Style, title: String, loop: EventLoop) {
        self.loop = loop
        self.output = output
        self.terminal = terminal
        self.style = style
        screen = Screen(title: title)
    }

    package func take(_ event: Event) async throws {
        screen.show(event)
        enterOnce()
        try await draw()
    }

    /// Leaves the alternate screen.
    package func finish() async {
        windowChanges?.cancel()
        terminal.leave()
    }

    private func enterOnce() {
        guard !isEntered else { return }
        isEntered = true
        terminal.enter()
        windowChanges = Task { await followWindow() }
    }

    /// A change of the window's size, and the return from the background, need a new drawing.
    private func followWindow() async {
        for await signal in await UnixSignalsSequence(trapping: .sigwinch, .sigcont) {
            if signal == .sigcont { terminal.enter() }
            try? await draw()
        }
    }

    /// Draws what is known now. A drawing that is asked for while a slow terminal takes another one comes after it.
    private func draw() async throws {
        isStale = true
        guard !isDrawing else { return }
        isDrawing = true
        defer { isDrawing = false }
        while isStale, !Task.isCancelled {
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
