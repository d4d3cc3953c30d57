import Glibc
import Synchronization

/// The terminal as the table of a fleet has it: drawn on while it is this program's, and given back when a shell asks for it.
final class FleetScreen: Sendable {
    /// The signals by which a terminal and its shell tell what they do.
    static let signals: [CInt] = [SIGWINCH, SIGTSTP, SIGCONT]

    private let terminal = Terminal()
    private let style = Style(environment: Environment.values("NO_COLOR", "TERM", "LC_ALL", "LC_CTYPE", "LANG"))
    /// Whether what was drawn last is no longer what is to be seen.
    private let isStale = Mutex(true)

    func enter() {
        if terminal.enter() { isStale.withLock { $0 = true } }
    }

    func leave() {
        terminal.leave()
    }

    /// Does what a signal asks for, on the loop's thread, which is stopped meanwhile.
    func obey(_ signal: CInt) {
        switch signal {
        case SIGTSTP:
            terminal.leave()
            JobControl.stop(by: SIGTSTP)
            enter()
        case SIGCONT: enter()
        default: isStale.withLock { $0 = true }
        }
    }

    /// What is to be written for a view; nil where the terminal shows it already, or is not this program's.
    func drawing(of view: FleetView, isNew: Bool) -> String? {
        // No key means anything here. Unread, they fill the terminal up, which then hears no Ctrl-C any more.
        if terminal.isTaken { _ = terminal.typed() }
        let wasStale = isStale.withLock { exchange(&$0, with: false) }
        guard terminal.isTaken, isNew || wasStale else { return nil }
        let size = terminal.size
        let lines = view.table(width: size.width, height: size.height, style).prefix(size.height)
        return Terminal.frame(lines.map { $0.rendered(width: size.width, style: style) }, height: size.height)
    }
}
