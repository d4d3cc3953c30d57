import CLinux
import Glibc
import Synchronization
import SystemPackage

/// The terminal that the live view draws on, and its state before, which is restored exactly once.
package final class Terminal: Sendable {
    package struct Size: Hashable, Sendable {
        package var width: Int
        package var height: Int
    }

    /// The alternate screen, no cursor, and a word from the terminal when it gains or loses the focus.
    private static let enterSequence = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1004h"
    private static let leaveSequence = "\u{1B}[?1004l\u{1B}[?25h\u{1B}[?1049l"

    private let output: CInt
    /// The same, never waited for: a terminal that takes nothing (Ctrl-S, a line that is down) must not keep the program.
    private let screen: OutputDescriptor?
    /// Where keys come from.
    let input: CInt
    private let before = Mutex<termios?>(nil)
    private let isEntered = Mutex(false)

    package init(output: CInt = 1, input: CInt = 0) {
        self.output = output
        screen = try? OutputDescriptor(FileDescriptor(rawValue: output), name: "the terminal")
        self.input = input
    }

    deinit {
        leave()
    }

    /// The window's size now; 80 by 24 where the terminal does not tell.
    package var size: Size {
        var (width, height): (UInt16, UInt16) = (0, 0)
        guard unsafe netwatch_window_size(output, &width, &height) == 0, width > 0, height > 0 else {
            return Size(width: 80, height: 24)
        }
        return Size(width: Int(width), height: Int(height))
    }

    /// Changes to the alternate screen, hides the cursor, and keeps what is typed from being shown. From the background it would
    /// be drawn over what is there: there this program is stopped, as the kernel stops those that change the terminal.
    ///
    /// - Returns: Whether the screen is taken: not where the program was told to go on in the background.
    func enter() -> Bool {
        if isInBackground { JobControl.stop(by: SIGTTOU) }
        guard !isInBackground else { return false }
        isEntered.withLock { $0 = true }
        silenceInput()
        send(Self.enterSequence)
        return true
    }

    /// What draws these lines from the top of the screen, and leaves nothing of what was there.
    static func frame(_ lines: [String], height: Int) -> String {
        // Cleared before it is written: after a full line the terminal would clear its last column.
        let text = lines.map { "\u{1B}[K" + $0 }.joined(separator: "\r\n")
        return "\u{1B}[H" + text + (lines.count < height ? "\r\n\u{1B}[J" : "")
    }

    /// Whether the screen is this program's.
    var isTaken: Bool { isEntered.withLock { $0 } }

    /// Whether another job has the terminal. Not where there is no job control.
    private var isInBackground: Bool {
        let foreground = tcgetpgrp(output)
        return foreground > 0 && foreground != getpgrp()
    }

    /// Restores what ``enter()`` changed. Calling it again does nothing.
    package func leave() {
        guard isEntered.withLock({ exchange(&$0, with: false) }) else { return }
        send(Self.leaveSequence)
        guard var state = before.withLock({ $0 }), isInForeground else { return }
        unsafe tcsetattr(input, TCSANOW, &state)
    }

    /// A process in the background that changes the terminal is stopped by the kernel (SIGTTOU).
    private var isInForeground: Bool { tcgetpgrp(input) == getpgrp() }

    private func silenceInput() {
        var state = termios()
        guard isatty(input) == 1, isInForeground, unsafe tcgetattr(input, &state) == 0 else { return }
        let shown = tcflag_t(ECHO | ICANON)
        // A shell that stopped this program has set the terminal anew. Where none did, it is as it was left here.
        before.withLock { before in
            if before == nil || state.c_lflag & shown != 0 { before = state }
        }
        state.c_lflag &= ~shown
        // A key is read where there is one, and never waited for (VMIN and VTIME of termios(3)).
        state.c_cc.6 = 0
        state.c_cc.5 = 0
        // Ctrl-\ would end the program and leave the terminal as it is now (VQUIT).
        state.c_cc.1 = 0
        unsafe tcsetattr(input, TCSANOW, &state)
    }

    /// Whether keys can be read: there is a terminal, and no other program is in front of this one.
    var hasKeys: Bool { isatty(input) == 1 && isInForeground }

    /// What was typed since it was read last; empty where nothing was.
    func typed() -> [UInt8] {
        // To read in the background is to be stopped (SIGTTIN).
        guard hasKeys else { return [] }
        // Where another program has set the terminal anew, a read would wait for a whole line.
        var entry = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, 0) > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: 256) { bytes, count in
            count = unsafe max(0, read(input, bytes.baseAddress, bytes.count))
        }
    }

    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        if case .written(bytes.count)? = try? screen?.write(bytes.span) { return }
        // What it was to show before is of no use any more.
        tcflush(output, TCOFLUSH)
        _ = try? screen?.write(bytes.span)
    }
}
