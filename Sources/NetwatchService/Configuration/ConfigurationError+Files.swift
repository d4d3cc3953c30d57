import Glibc
import Netwatch

extension ConfigurationError {
    /// Finds files that cannot be read: better now than when they are needed.
    ///
    /// - Parameters:
    ///   - files: Each with its key; nil where none is named.
    ///   - key: What holds these keys.
    /// - Throws: ``ConfigurationError`` for a file that this user may not read.
    static func checkReadable(_ files: [(key: String, path: String?)], at key: String) throws(ConfigurationError) {
        for file in files {
            guard let path = file.path, unsafe access(path, R_OK) != 0 else { continue }
            let reason = unsafe String(cString: strerror(errno))
            throw .invalid(key: "\(key).\(file.key)", reason: "\(DisplayText.safe(path)) cannot be read: \(reason)")
        }
    }
}
