import RequestEngine

/// A file of authorities that was named and cannot be used.
package struct CAFileError: Error, Hashable, Sendable, CustomStringConvertible {
    private let cause: SecurityError

    package var description: String {
        "the CA file \(cause); name a PEM file that this user may read"
    }

    /// Reads the file once, so that a mistake is told before anything starts.
    package static func check(_ path: String) throws(CAFileError) {
        do throws(SecurityError) {
            _ = try Certificate.certificates(file: path)
        } catch {
            throw CAFileError(cause: error)
        }
    }
}
