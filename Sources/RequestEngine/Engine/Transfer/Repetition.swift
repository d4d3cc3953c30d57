import NetworkAddress

/// Whether a request may go out again without its caller's knowing.
///
/// libcurl sends a request again, unasked, if the connection it went out over had been used before and ends without an
/// answer. The server may have carried it out all the same, so this is for methods only that may be repeated (RFC 9110
/// section 9.2.2). What an HTTP/2 server has said not to have looked at may go out again whatever it is, once: a stream that
/// it refused, which libcurl sends again itself, or one that its GOAWAY leaves out, which libcurl (7.88) mostly does not
/// (RFC 9113 section 8.7).
struct Repetition {
    private enum State {
        case refused
        /// The server has not looked at it.
        case unseen
        case granted
        case used
    }

    private var state = State.refused
    /// The latest stream it went out on, where libcurl has said so.
    private var stream: Int?

    /// Whether the server has said that it has not looked at the request.
    var isUnseen: Bool { state != .refused }

    /// Whether a request may go out now.
    ///
    /// - Parameter isSent: Whether it has gone out before, and nothing has come back.
    mutating func allows(_ method: RequestMethod, isSent: Bool) -> Bool {
        guard isSent, !method.isIdempotent else { return true }
        defer { state = .used }
        return state == .unseen || state == .granted
    }

    /// Whether we may send it again ourselves.
    mutating func grant() -> Bool {
        guard state == .unseen else { return false }
        state = .granted
        return true
    }

    // MARK: What libcurl says

    /// Reads what libcurl says of its work, which nothing else tells of streams (lib/http2.c and lib/transfer.c).
    mutating func note(_ text: Span<UInt8>) {
        if text.starts(with: Self.refusedStream) {
            noteUnseen()
        } else if text.starts(with: Self.ownStream) {
            stream = Self.number(in: text, after: "ID: ")
        } else if text.starts(with: Self.farewell) {
            guard let stream, let last = Self.number(in: text, after: "last_stream=") else { return }
            if last < stream { noteUnseen() }
        }
    }

    private mutating func noteUnseen() {
        if state == .refused { state = .unseen }
    }

    private static let refusedStream = Array("REFUSED_STREAM".utf8)
    private static let ownStream = Array("Using Stream ID: ".utf8)
    private static let farewell = Array("recveived GOAWAY".utf8)

    private static func number(in text: Span<UInt8>, after words: String) -> Int? {
        let text = String(decoding: text)
        return text.firstRange(of: words).flatMap { Int(text[$0.upperBound...].prefix { $0.isNumber }) }
    }
}
