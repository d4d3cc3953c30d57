import RequestEngine

extension ResumeData {
    /// The fields that ask for the rest.
    var headers: HeaderFields {
        ["Range": "bytes=\(offset)-", "If-Range": validator]
    }

    /// Why a part (status 206) is none of the rest of this file; nil where it is. A server may have another version by now,
    /// and not look at `If-Range`.
    func mismatch(_ head: ResponseHead) -> String? {
        guard let range = head.contentRange else { return "the server does not say which part it sends" }
        guard range.first == offset else { return "the server sends another range than the one asked for" }
        guard head.agrees(with: validator) else { return "the server has another version by now" }
        // The tag has to come with a part of what has one; a date may be left out (RFC 9110 section 15.3.7). Without it the
        // part may be of any version: a server in the middle that does not look at `If-Range` is none to be trusted here.
        guard HTTPDate.parse(validator) != nil || head.strongTag != nil else {
            return "the server does not say which version it sends a part of"
        }
        if let total, let other = range.total, other != total { return "the whole has \(other) bytes, not \(total)" }
        if let length = head.contentLength, length != range.count {
            return "the server announces \(length) bytes of a range of \(range.count)"
        }
        return nil
    }
}
