public import RequestEngine

/// What an answer has for content.
extension Response {
    /// Whether there is no body, and none is due: the status has none (204, 205, 304), or the header alone was asked for.
    public var hasNoContent: Bool { body.isEmpty && isWithoutContent }

    var isWithoutContent: Bool { method == .head || [204, 205, 304].contains(statusCode) }

    /// Whether the body is nothing but white space.
    var isBlank: Bool {
        body.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
    }

    /// The encoding its `Content-Type` names.
    public var textEncoding: TextEncoding {
        guard let charset = headers.contentType?.charset else { return .latin1 }
        return TextEncoding(charset: charset) ?? .utf8
    }
}
