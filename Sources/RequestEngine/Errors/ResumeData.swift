public import FoundationEssentials

/// What is left of a download that did not come to its end, and what it needs to go on.
public struct ResumeData: Hashable, Sendable, Codable {
    public let url: URL
    /// The file with what has come.
    public let partialFile: String
    /// How many bytes have come.
    public let offset: Int64
    /// The `ETag` or `Last-Modified` of what has come; the server sends the rest only of the same (RFC 9110 section 13.1.5).
    public let validator: String
    /// How many bytes the whole has; nil where the server has not said.
    public let total: Int64?

    package init(url: URL, partialFile: String, offset: Int64, validator: String, total: Int64?) {
        self.url = url
        self.partialFile = partialFile
        self.offset = offset
        self.validator = validator
        self.total = total
    }
}
