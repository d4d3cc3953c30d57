import Glibc
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
        let pairs = parameters.map { "\($0.name)=\(QueryText.encoded($0.value))" }
        query = pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }

    /// - Throws: ``ServiceAnswerError`` where no service answers.
    package func run() throws -> ExitStatus {
        do throws(Errno) {
            let connection = try UnixConnection(path)
            // Version 1.0: the answer is not in chunks, and ends with the connection.
            try connection.send(
                "GET /events\(query) HTTP/1.0\r\nHost: localhost\r\nAccept: application/x-ndjson\r\n\r\n")
            return try copy(connection)
        } catch {
            throw ServiceAnswerError(path: path, cause: error)
        }
    }

    private func copy(_ connection: UnixConnection) throws(Errno) -> ExitStatus {
        var header: [UInt8] = []
        while header.firstRange(of: Self.blankLine) == nil {
            let part = try connection.receive()
            guard !part.isEmpty else { throw .connectionReset }
            header += part
        }
        guard let end = header.firstRange(of: Self.blankLine)?.upperBound else { throw .connectionReset }
        let isGood = String(decoding: header.prefix(16), as: UTF8.self).split(separator: " ").dropFirst().first == "200"
        var body = Array(header[end...])
        repeat {
            guard isGood else {
                StandardStreams.tell(DisplayText.safe(String(decoding: body, as: UTF8.self)))
                return .usage
            }
            guard write(body), connection.waitForBytesOrClosedOutput() else { return .success }
            body = try connection.receive()
        } while !body.isEmpty
        return .unavailable
    }

    private static let blankLine = Array("\r\n\r\n".utf8)

    /// Whether the reader of standard output took it.
    private func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(1, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
