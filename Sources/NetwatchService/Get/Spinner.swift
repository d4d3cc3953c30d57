import EventLoop
import Synchronization

/// Turns on the progress line as long as it is wanted and nothing has come.
final class Spinner: Sendable {
    private struct State {
        var isTurning = false
        var step = 0
    }

    private let line: ProgressLine
    private let text: String
    private let frames: [String]
    private let loop: EventLoop
    private let state = Mutex(State())

    /// - Parameter text: What stands beside it.
    init(_ text: String, on line: ProgressLine, style: Style, loop: EventLoop) {
        self.line = line
        self.text = text
        self.loop = loop
        frames = (style.usesUnicode ? "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏" : "|/-\\").map(String.init)
    }

    /// Turns it on or off, on the loop's thread.
    func show(_ isVisible: Bool) {
        state.withLock { $0.isTurning = isVisible }
        if isVisible { turn() }
    }

    private func turn() {
        let frame = state.withLock { state -> String? in
            state.step += 1
            return state.isTurning ? frames[state.step % frames.count] : nil
        }
        guard let frame, line.wait("\(frame) \(text)") else { return }
        loop.schedule(after: .milliseconds(100)) { [weak self] in self?.turn() }
    }
}
