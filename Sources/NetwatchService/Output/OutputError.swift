package import SystemPackage

/// Why output could not be written.
package enum OutputError: Error, Hashable, Sendable {
    /// The reader is gone. For a program in a pipe that is the usual end, not a fault.
    case closed
    /// The descriptor was not open when the program started.
    case notOpen(name: String)
    /// The kernel refused to write: the disk is full, for example.
    case failed(name: String, Errno)
}

extension OutputError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .closed:
            "the reader of standard output is gone"
        case .notOpen(let name):
            "\(name) is closed: there is nowhere to write to; redirect it to a file or to /dev/null"
        case .failed(let name, let errno):
            "cannot write to \(name): \(errno); check where it is redirected to"
        }
    }
}
