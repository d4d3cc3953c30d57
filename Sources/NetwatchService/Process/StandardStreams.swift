import Glibc
import Synchronization
import SystemPackage

/// The three descriptors that a program is born with.
package enum StandardStreams {
    /// Makes them safe to use. To be called before anything opens a file, which would take a closed one's number.
    ///
    /// - Throws: ``OutputError/notOpen(name:)`` where standard output is closed.
    package static func prepare() throws(OutputError) {
        // A reader that goes away is an error of write(2) here, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        // So is a file that has come to its limit (RLIMIT_FSIZE).
        signal(SIGXFSZ, SIG_IGN)
        // The parent may have it ignored, and then the kernel would not tell this process how a program has ended.
        signal(SIGCHLD, SIG_DFL)
        if !isOpen(0) { occupy(0, O_RDONLY) }
        let hasOutput = isOpen(1)
        if !hasOutput { occupy(1, O_WRONLY) }
        if !isOpen(2) { occupy(2, O_WRONLY) }
        guard hasOutput else { throw .notOpen(name: "standard output") }
    }

    package static var isOutputTerminal: Bool { isatty(1) == 1 }
    package static var isErrorTerminal: Bool { isatty(2) == 1 }

    /// One line for people on standard error. Strangers may have a word in it, as a server has by the names of its
    /// certificate, and are not to command the terminal.
    package static func tell(_ line: String) {
        write("netwatch: \(DisplayText.safe(line))\n")
    }

    /// Writes text to standard output, at once: `print` does not tell that it could not write all of a long text.
    ///
    /// - Throws: ``OutputError`` where it cannot be written.
    package static func show(_ text: String) throws(OutputError) {
        try show(bytes: Array(text.utf8))
    }

    /// Writes bytes to standard output, as they are: a part of a text may end within a character.
    ///
    /// - Throws: ``OutputError`` where they cannot be written.
    static func show(bytes: [UInt8]) throws(OutputError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(1, $0.baseAddress, $0.count) }
            switch (count, errno) {
            case (0..., _): rest = rest.dropFirst(count)
            case (_, EINTR): continue
            case (_, EAGAIN): waitForOutput()
            case (_, EPIPE), (_, ECONNRESET): throw .closed
            case (_, let code): throw .failed(name: "standard output", Errno(rawValue: code))
            }
        }
    }

    /// Another process that shares the descriptor may have made it one that does not block.
    private static func waitForOutput() {
        var output = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&output, 1, -1)
    }

    /// Writes text to standard error. Where that fails there is no place left to say so; a reader that takes nothing, as a
    /// terminal that was stopped, does not hold up this process for long.
    static func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let isReady = takesErrors(within: wasHeldUp.load(ordering: .relaxed) ? 0 : patience)
            wasHeldUp.store(!isReady, ordering: .relaxed)
            guard isReady else { return }
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, min($0.count, atOnce)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// What a pipe that is ready takes in any case (PIPE_BUF, pipe(7)).
    private static let atOnce = 4096
    /// Milliseconds.
    private static let patience: CInt = 200
    /// Whether the last text found standard error full: the next one does not wait for it, too.
    private static let wasHeldUp = Atomic(false)

    /// Whether something can be written to standard error without being held up. It may be called by a signal's handler.
    static func takesErrors(within milliseconds: CInt) -> Bool {
        var output = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&output, 1, milliseconds) > 0
    }

    /// The host's name, as `uname -n` prints it.
    package static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func isOpen(_ descriptor: CInt) -> Bool {
        fcntl(descriptor, F_GETFD) >= 0
    }

    private static func occupy(_ descriptor: CInt, _ access: CInt) {
        let null = unsafe open("/dev/null", access)
        guard null >= 0, null != descriptor else { return }
        dup2(null, descriptor)
        close(null)
    }
}
