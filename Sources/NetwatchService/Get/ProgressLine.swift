#if Service
import RequestCore
import Synchronization

/// How far a body has come, as the last line of the terminal. It is drawn anew only where it reads otherwise.
final class ProgressLine: EventMonitor {
    private let style: Style
    private let shown = Mutex("")

    init(style: Style) {
        self.style = style
    }

    func observe(_ event: TaskEvent) {
        guard case .received(let progress) = event.kind else { return }
        let text = ProgressBar.text(progress, width: Terminal(output: 2).size.width, style: style)
        let isNew = shown.withLock { shown in
            defer { shown = text }
            return shown != text
        }
        if isNew { StandardStreams.write("\r\(text)\u{1B}[K") }
    }

    /// Leaves the line to what comes next.
    func end() {
        let wasShown = shown.withLock { shown in
            defer { shown = "" }
            return !shown.isEmpty
        }
        if wasShown { StandardStreams.write("\r\u{1B}[K") }
    }
}
#endif
