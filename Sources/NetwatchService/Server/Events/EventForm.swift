import Connectivity
import NIOCore
import Netwatch

/// How events are written to a reader.
enum EventForm: Hashable, Sendable {
    /// Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
    case serverSent
    /// One JSON object a line, as `netwatch --json` has it.
    case lines

    private static let lineTypes = ["application/x-ndjson", "application/jsonl", "application/ndjson"]

    init(accept: String?) {
        let types = PreferenceList(accept)
        let lines = Self.lineTypes.compactMap { types.weight(of: $0, wildcards: []) }.max() ?? 0
        let events = types.weight(of: "text/event-stream", wildcards: ["text/*", "*/*"]) ?? 0
        self = lines > 0 && lines >= events ? .lines : .serverSent
    }

    var contentType: String {
        switch self {
        case .serverSent: "text/event-stream"
        case .lines: "application/x-ndjson"
        }
    }

    /// What the stream begins with: how soon to come back.
    var preamble: ByteBuffer? { self == .serverSent ? ByteBuffer(string: "retry: 2000\n\n") : nil }

    /// Keeps proxies from taking a quiet stream for a dead one, and tells how far the reader is: without it, one that wants few
    /// events would come back with an id so old that it is not known any more. A line of JSON can be neither.
    func signOfLife(at cursor: EventCursor?) -> ByteBuffer? {
        guard self == .serverSent else { return nil }
        return ByteBuffer(string: cursor.map { ":\nid: \($0)\n\n" } ?? ":\n\n")
    }

    /// - Parameters:
    ///   - line: The event's JSON, with its line feed.
    ///   - cursor: Where it is.
    func text(_ line: [UInt8], at cursor: EventCursor) -> ByteBuffer {
        switch self {
        case .lines: return ByteBuffer(bytes: line)
        case .serverSent:
            var buffer = ByteBuffer(string: "id: \(cursor)\ndata: ")
            buffer.writeBytes(line)
            buffer.writeString("\n")
            return buffer
        }
    }

    /// Told before a snapshot, to a reader that has missed what lies between. In lines the gap of the numbers tells it.
    func gap(after id: String) -> ByteBuffer? {
        guard self == .serverSent else { return nil }
        let known = EventCursor(id).map { "\($0)" }
        return ByteBuffer(string: "event: gap\ndata: {\"after\":\(known.map { "\"\($0)\"" } ?? "null")}\n\n")
    }
}
