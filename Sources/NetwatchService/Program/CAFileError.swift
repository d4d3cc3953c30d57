#if Service
import Glibc
package import SystemPackage

/// A file that was named and cannot be read.
package enum InputFileError: Error, Hashable, Sendable {
    case unreadable(path: String, what: String, Errno)
    case isFolder(path: String, what: String)
    case noCertificate(path: String)

    /// Checks that a file can be read.
    package static func check(_ path: String, what: String) throws(InputFileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path: path, what: what, Errno(rawValue: errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, what: what, Errno(rawValue: errno)) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw .isFolder(path: path, what: what) }
    }
}

extension InputFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let path, let what, let errno):
            "cannot read the \(what) \(path): \(errno); check the path and that this user may read it"
        case .isFolder(let path, let what):
            "the \(what) \(path) is a folder; name a file in it"
        case .noCertificate(let path):
            "the CA file \(path) holds no certificate; it must hold PEM blocks that begin with BEGIN CERTIFICATE"
        }
    }
}
#endif
