import RequestEngine
import Synchronization

/// How far a body has come, as the last line of the terminal. It is drawn anew only where it reads otherwise.
final class ProgressLine: EventMonitor {
    private struct State {
        var shown = ""
        /// Whether something has come, or nothing is awaited any more.
        var isBeyondWaiting = false
    }

    private let style: Style
    private let state = Mutex(State())

    init(style: Style) {
        self.style = style
    }

    func observe(_ event: TaskEvent) {
        guard case .received(let progress) = event.kind else { return }
        state.withLock { $0.isBeyondWaiting = true }
        draw { ProgressBar.text(progress, width: $0, style: style) }
    }

    /// Shows what is awaited; false once something has come.
    func wait(_ text: String) -> Bool {
        guard !state.withLock({ $0.isBeyondWaiting }) else { return false }
        draw { _ in text }
        return true
    }

    /// Leaves the line to what comes next.
    func end() {
        let wasShown = state.withLock { !exchange(&$0, with: State(isBeyondWaiting: true)).shown.isEmpty }
        if wasShown { StandardStreams.write("\r\u{1B}[K") }
    }

    private func draw(_ words: (_ width: Int) -> String) {
        let width = Terminal(output: 2).size.width
        // With one column more the terminal would begin another line, which a carriage return does not take back.
        let text = StyledLine.cut(words(width), to: max(1, width - 1), style)
        let isNew = state.withLock { exchange(&$0.shown, with: text) != text }
        if isNew { StandardStreams.write("\r\(text)\u{1B}[K") }
    }
}
