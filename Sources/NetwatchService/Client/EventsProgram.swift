import RequestEngine
import SystemPackage

/// `netwatch events`: the lines of the service's events, until it ends or the reader goes away.
package struct EventsProgram: Sendable {
    private let path: String
    private let query: String

    /// - Parameters:
    ///   - path: The service's Unix socket.
    ///   - parameters: What is chosen by, names with values.
    package init(path: String, parameters: [(name: String, value: String)]) {
        self.path = path
        let pairs = parameters.map { "\($0.name)=\(PercentEncoding.escape($0.value))" }
        query = pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }

    /// - Throws: ``ServiceAnswerError`` where no service answers, ``OutputError`` where standard output takes nothing.
    package func run() throws -> ExitStatus {
        do {
            let connection = try UnixConnection(path)
            // Version 1.0: the answer is not in chunks, and ends with the connection.
            try connection.send(
                "GET /events\(query) HTTP/1.0\r\nHost: localhost\r\nAccept: application/x-ndjson\r\n\r\n")
            let (code, body) = try Self.beginning(of: connection)
            guard code == 200 else { return try Self.tellRefusal(code, body, connection) }
            return try Self.copy(body, connection)
        } catch let error as Errno {
            throw ServiceAnswerError(path: path, cause: error)
        }
    }

    /// The answer's status, and what has come of its body with the header.
    private static func beginning(of connection: UnixConnection) throws(Errno) -> (code: Int, body: [UInt8]) {
        var bytes: [UInt8] = []
        while bytes.firstRange(of: blankLine) == nil {
            let part = try connection.receive()
            guard !part.isEmpty else { throw .connectionReset }
            bytes += part
        }
        guard let end = bytes.firstRange(of: blankLine)?.upperBound else { throw .connectionReset }
        let words = String(decoding: bytes.prefix(16), as: UTF8.self).split(separator: " ")
        guard words.count > 1, let code = Int(words[1]) else { throw .protocolError }
        return (code, Array(bytes[end...]))
    }

    private static func copy(_ first: [UInt8], _ connection: UnixConnection) throws -> ExitStatus {
        var body = first
        repeat {
            try StandardStreams.show(bytes: body)
            guard connection.waitForBytesOrClosedOutput() else { return .success }
            body = try connection.receive()
        } while !body.isEmpty
        StandardStreams.tell("the service has ended")
        return .unavailable
    }

    /// Tells in one line why there are no events.
    private static func tellRefusal(
        _ code: Int, _ first: [UInt8], _ connection: UnixConnection
    ) throws(Errno) -> ExitStatus {
        var body = first
        while body.count < longestRefusal, case let part = try connection.receive(), !part.isEmpty { body += part }
        let text = String(decoding: body.prefix(longestRefusal), as: UTF8.self)
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        StandardStreams.tell(line.isEmpty ? "the service refuses: \(code)" : line)
        // What was asked for is at fault, or this moment: too many readers, a service that is about to end.
        return code == 400 ? .usage : .unavailable
    }

    private static let blankLine = Array("\r\n\r\n".utf8)
    /// The bytes of a refusal that are read.
    private static let longestRefusal = 4096
}
