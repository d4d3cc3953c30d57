import Connectivity
import FoundationEssentials
import Netwatch

/// Replays a trace file line by line.
struct TraceReader: ~Copyable {
    private let path: String
    private var lines: LineReader
    private var replayer: MonitorReplayer
    private let decoder = JSONDecoder()

    /// Opens a file and reads its header.
    init(path: String) throws(TraceError) {
        var lines = try LineReader(path: path)
        guard let first = try lines.next() else { throw .empty(path: path) }
        let header = try Self.header(Data(first), path, decoder)
        let replayer: MonitorReplayer
        do throws(ReplayError) { replayer = try MonitorReplayer(header.start) } catch {
            throw .badLine(path: path, line: 1, problem: "\(error)")
        }
        self.path = path
        self.lines = lines
        self.replayer = replayer
    }

    /// The next event that follows from the file; nil at its end.
    mutating func next() throws(TraceError) -> Event? {
        while let line = try lines.next() {
            if let event = try replay(line) { return event }
        }
        return nil
    }

    private mutating func replay(_ line: [UInt8]) throws(TraceError) -> Event? {
        let record: MonitorRecord
        do { record = try decoder.decode(MonitorRecord.self, from: Data(line)) } catch {
            throw bad("\(Self.why(error))")
        }
        do throws(ReplayError) { return try replayer.replay(record) } catch { throw bad("\(error)") }
    }

    private func bad(_ problem: String) -> TraceError {
        .badLine(path: path, line: lines.number, problem: problem)
    }

    private static func header(_ data: Data, _ path: String, _ decoder: JSONDecoder) throws(TraceError) -> TraceHeader {
        guard let preface = try? decoder.decode(TraceHeader.Preface.self, from: data),
            preface.format == TraceHeader.format
        else { throw .badLine(path: path, line: 1, problem: "this is not the header of a recording") }
        guard TraceHeader.readableSchemas.contains(preface.schema) else { throw .schema(path: path, preface.schema) }
        do { return try decoder.decode(TraceHeader.self, from: data) } catch {
            throw .badLine(path: path, line: 1, problem: why(error))
        }
    }

    /// What is wrong, and where in the line.
    private static func why(_ error: any Error) -> String {
        let (context, problem): (DecodingError.Context, String) =
            switch error as? DecodingError {
            case .keyNotFound(let key, let context): (context, "'\(key.stringValue)' is missing")
            case .typeMismatch(_, let context): (context, "a value is of the wrong type")
            case .valueNotFound(_, let context): (context, "a value is missing")
            case .dataCorrupted(let context): (context, context.debugDescription)
            default: (DecodingError.Context(codingPath: [], debugDescription: ""), "it cannot be read")
            }
        let place = context.codingPath.map(\.stringValue).joined(separator: ".")
        let text = place.isEmpty ? "\(problem)" : "\(problem) at \(place)"
        return DisplayText.safe(String(text.prefix(300)))
    }
}
