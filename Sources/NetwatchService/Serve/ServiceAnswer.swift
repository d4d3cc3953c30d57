#if Service
package import SystemPackage

/// A short answer of the service, asked by its Unix socket.
struct ServiceAnswer {
    /// The status of HTTP.
    let code: Int
    let body: String

    /// - Parameters:
    ///   - request: Method and path: `POST /reload`.
    ///   - path: The socket's.
    init(to request: String, at path: String) throws(ServiceAnswerError) {
        var bytes: [UInt8] = []
        do throws(Errno) {
            let connection = try UnixConnection(path)
            // Version 1.0: the answer is not in chunks, and ends with the connection.
            try connection.send("\(request) HTTP/1.0\r\nHost: localhost\r\n\r\n")
            while case let part = try connection.receive(), !part.isEmpty { bytes += part }
        } catch {
            throw ServiceAnswerError(path: path, cause: error)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.split(separator: " ", maxSplits: 2)
        guard parts.count > 2, let code = Int(parts[1]), let end = text.firstRange(of: "\r\n\r\n") else {
            throw ServiceAnswerError(path: path, cause: .protocolError)
        }
        self.code = code
        body = String(text[end.upperBound...])
    }
}

/// Why the service does not answer.
package struct ServiceAnswerError: Error, Hashable, Sendable, CustomStringConvertible {
    package let path: String
    package let cause: Errno

    package var description: String { "no service answers at \(DisplayText.safe(path)): \(reason)" }

    private var reason: String {
        switch cause {
        case .noSuchFileOrDirectory: "it is not there; start netwatch serve, or name its socket with --socket"
        case .connectionRefused: "nothing listens there; start netwatch serve"
        case .permissionDenied: "only its owner and its group may ask; be one of the group netwatch"
        default: "\(cause)"
        }
    }
}
#endif
