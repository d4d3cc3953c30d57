import Netwatch
import RequestEngine
import SystemPackage

extension ConfigurationError {
    /// Finds files that cannot be read: better now than when they are needed.
    ///
    /// - Parameters:
    ///   - files: Each with its key; nil where none is named.
    ///   - key: What holds these keys.
    /// - Throws: ``ConfigurationError`` for a file that this user may not read.
    static func checkReadable(_ files: [(key: String, path: String?)], at key: String) throws(ConfigurationError) {
        for file in files {
            guard let path = file.path else { continue }
            do throws(Errno) { try RegularFile.check(FilePath(path)) } catch {
                let reason = RegularFile.explain(error)
                throw .invalid(key: "\(key).\(file.key)", reason: "\(DisplayText.safe(path)) cannot be read: \(reason)")
            }
        }
    }
}
