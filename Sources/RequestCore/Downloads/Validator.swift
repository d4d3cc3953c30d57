import RequestEngine

/// What tells one version of a file from another, and so whether two parts are of the same: a strong entity tag, or a date
/// that is as good as one (RFC 9110 section 8.8).
extension ResponseHead {
    /// What `If-Range` can be asked with.
    var validator: String? { strongTag ?? strongDate }

    var strongTag: String? {
        guard let tag = headers["ETag"], tag.hasPrefix("\"") else { return nil }
        return tag
    }

    /// `Last-Modified`, where the file cannot have changed again within the same second: it is older than the answer
    /// (RFC 9110 section 8.8.2.2).
    private var strongDate: String? {
        guard let modified = headers["Last-Modified"], let time = HTTPDate.parse(modified) else { return nil }
        let now = headers["Date"].flatMap(HTTPDate.parse) ?? WallClock.seconds()
        return time < now ? modified : nil
    }

    /// Whether a validator is this answer's, or nothing in it says otherwise.
    func agrees(with validator: String) -> Bool {
        // The date that the rest was asked for by: a tag that comes with it is of the same version.
        if let date = headers["Last-Modified"], HTTPDate.parse(validator) != nil { return date == validator }
        // A weak tag is not enough to put two parts together by.
        return headers["ETag"].map { $0 == validator } ?? true
    }
}
