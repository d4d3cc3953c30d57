import HTTPTypes
package import SystemPackage

/// A short answer of the service, asked by its Unix socket.
struct ServiceAnswer {
    /// The status of HTTP.
    let code: Int
    let body: String
    private let header: [String: String]

    /// The exit status that `netwatch status` has for the state that is answered.
    static let exitStatusField = HTTPField.Name("Netwatch-Exit-Status") ?? .age
    var exitStatus: ExitStatus? {
        header[Self.exitStatusField.canonicalName].flatMap { Int32($0) }.flatMap(ExitStatus.init)
    }

    /// How long the service may take.
    private static let patience = Duration.seconds(30)

    /// - Parameters:
    ///   - request: Method and path: `POST /reload`.
    ///   - type: The media type that is wanted.
    ///   - path: The socket's.
    init(to request: String, as type: String = "text/plain", at path: String) throws(ServiceAnswerError) {
        var bytes: [UInt8] = []
        do throws(Errno) {
            let connection = try UnixConnection(path, patience: Self.patience)
            // Version 1.0: the answer is not in chunks, and ends with the connection.
            try connection.send("\(request) HTTP/1.0\r\nHost: localhost\r\nAccept: \(type)\r\n\r\n")
            while case let part = try connection.receive(), !part.isEmpty { bytes += part }
        } catch {
            throw ServiceAnswerError(path: path, cause: error)
        }
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            throw ServiceAnswerError(path: path, cause: .protocolError)
        }
        let text = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let parts = text.split(separator: " ", maxSplits: 2)
        guard parts.count > 2, let code = Int(parts[1]) else {
            throw ServiceAnswerError(path: path, cause: .protocolError)
        }
        self.code = code
        body = String(decoding: bytes[end.upperBound...], as: UTF8.self)
        let lines = text.split(separator: "\r\n").dropFirst()
        header = Dictionary(
            lines.compactMap { line in
                line.firstIndex(of: ":").map {
                    (line[..<$0].lowercased(), String(line[line.index(after: $0)...].drop { $0 == " " }))
                }
            }
        ) { first, _ in first }
        // The end of the connection is that of a service that was killed, too.
        if let length = header["content-length"].flatMap({ Int($0) }), length != bytes.count - end.upperBound {
            throw ServiceAnswerError(path: path, cause: .connectionReset)
        }
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
