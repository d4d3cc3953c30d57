/// What a caller's fields say of where the body ends. It is libcurl that ends it: were the fields to say otherwise, the
/// server would take the rest of one body for the next request of the connection (RFC 9112 section 11.2).
struct MessageFraming: Sendable {
    private let lengths: [String]
    private let hasTransferEncoding: Bool

    init(_ headers: HeaderFields) {
        lengths = headers.values(of: "Content-Length")
        hasTransferEncoding = headers.contains(name: "Transfer-Encoding")
    }

    /// Checks that the method has a body where there is one, and that the fields say nothing of it, or just what is sent.
    func check(_ source: (any BodySource)?, _ method: RequestMethod) throws(RequestError) {
        guard method != .head || source == nil else { throw RequestError(.invalidMessage(.unsendableBody(method))) }
        guard !lengths.isEmpty || hasTransferEncoding else { return }
        guard !hasTransferEncoding else { throw refusal("Transfer-Encoding") }
        let count = source.map { $0.count } ?? 0
        guard let count, lengths == ["\(count)"] else { throw refusal("Content-Length") }
    }

    private func refusal(_ name: String) -> RequestError {
        RequestError(.invalidMessage(.foreignFraming(name: name)))
    }
}
