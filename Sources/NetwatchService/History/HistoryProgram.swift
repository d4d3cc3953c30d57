import History
import RequestEngine
import SystemPackage

/// `netwatch history`: asks the service for the past, or reads the file where none runs.
package struct HistoryProgram: Sendable {
    package enum Format: Hashable, Sendable {
        case text, json, csv
    }

    /// Where the answer is from.
    package enum Source: Hashable, Sendable {
        /// The service that answers at a path.
        case socket(String)
        case file(String)
        /// The service where it runs, else the usual file.
        case usual
    }

    private static let longestName = 4096

    private let source: Source
    private let since: HistorySpan
    private let target: String?
    private let format: Format

    package init(source: Source, since: HistorySpan, target: String?, format: Format) {
        (self.source, self.since, self.target, self.format) = (source, since, target, format)
    }

    /// - Throws: ``ServiceAnswerError`` where no service answers that was named, ``HistoryError`` where there is no file.
    package func run() throws -> ExitStatus {
        let document: HistoryDocument
        switch source {
        case .socket(let path): return try ask(path)
        case .file(let path): document = try read(path)
        case .usual:
            do { return try ask(ServiceConfiguration.Socket.usualPath) } catch is ServiceAnswerError {
                document = try read(HistoryPlace.usual)
            }
        }
        return try tell(document)
    }

    private func ask(_ socket: String) throws -> ExitStatus {
        var query = "since=\(since.text)"
        let name = target.map { PercentEncoding.escape($0) }
        // The server takes no address of any length.
        let isShort = name.map { $0.utf8.count <= Self.longestName } ?? true
        if let name, isShort { query += "&target=\(name)" }
        let answer = try ServiceAnswer(to: "GET /history?\(query)", as: "application/json", at: socket)
        guard answer.code == 200 else {
            answer.body.split(separator: "\n").forEach { StandardStreams.tell(String($0)) }
            return answer.code == 404 ? .noInput : .unavailable
        }
        var document = try document(answer, of: socket)
        if !isShort {
            document.connectivity = nil
            document.targets.removeAll { $0.target != target }
        }
        return try tell(document)
    }

    private func document(_ answer: ServiceAnswer, of socket: String) throws(ServiceAnswerError) -> HistoryDocument {
        do { return try HistoryDocument(json: answer.body) } catch {
            // Whatever answers there, it is no service of this kind: the file is still to be read.
            throw ServiceAnswerError(path: socket, cause: .protocolError)
        }
    }

    private func read(_ path: String) throws -> HistoryDocument {
        let now = Stamp.now.wall / 1_000_000
        let past = try HistoryReading(path).past(since: now - since.milliseconds, until: now, target: target)
        return HistoryDocument(past, since: now - since.milliseconds, until: now, withSpans: false)
    }

    private func tell(_ document: HistoryDocument) throws -> ExitStatus {
        if let target, document.targets.isEmpty {
            StandardStreams.tell(HistoryDocument.nothingKnown(of: target))
            return .noInput
        }
        switch format {
        case .text: try StandardStreams.show(HistoryTable.text(document))
        case .csv: try StandardStreams.show(HistoryTable.csv(document))
        case .json: try StandardStreams.show(String(decoding: try document.json, as: UTF8.self))
        }
        return .success
    }
}
