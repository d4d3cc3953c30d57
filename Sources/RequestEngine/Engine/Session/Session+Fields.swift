internal import FoundationEssentials

extension Session {
    /// The fields that go out for a request, those that libcurl adds, and that answers depend on, included: what proves who
    /// asks, the cookies, the encodings.
    package func sentFields(of request: Request) -> HeaderFields {
        let request = request.withoutForeignSecrets
        var fields = TransferSettings.headers(request, configuration)
        if !fields.contains(name: "Authorization"), let proof = request.credential?.proof ?? request.url.proof {
            fields.append("Authorization", proof)
        }
        if request.usesCookies, let cookies = jar?.cookies(for: fields["Host"], request.url) {
            fields.append("Cookie", cookies)
        }
        if request.options.merged(over: configuration.options).asksForCompression(fields) {
            fields.append("Accept-Encoding", ContentCoding.acceptable)
        }
        return fields
    }

    /// The cookies held now, each as a line of a Netscape cookie file: seven fields with tabs between.
    public var cookies: [String] { jar?.lines ?? [] }

    public func removeCookies() throws(RequestError) {
        try jar?.removeAll()
    }

    /// Writes the cookies to their file, where there is one.
    public func saveCookies() throws(RequestError) {
        try jar?.save()
    }
}

extension Credential {
    /// What tells it from every other: the field's value where that is known before the server has asked.
    fileprivate var proof: String {
        switch self {
        case .basic(let user, let password):
            HeaderFields.Field.authorization(user: user, password: password)?.value ?? "Basic \(user)\n\(password)"
        case .digest(let user, let password): "Digest \(user)\n\(password)"
        case .bearer(let token): HeaderFields.Field.authorization(bearerToken: token).value
        case .negotiate: "Negotiate"
        }
    }
}

extension URL {
    /// What libcurl makes of a name and password in a URL.
    fileprivate var proof: String? {
        guard let user = user(percentEncoded: false) else { return nil }
        return HeaderFields.Field.authorization(user: user, password: password(percentEncoded: false) ?? "")?.value
    }
}

extension CookieJar {
    /// The cookies that may go to a URL's host, or to that of the field `Host`, which goes before, whatever their path, in an
    /// order of their own; nil where there are none.
    fileprivate func cookies(for name: String?, _ url: URL) -> String? {
        guard let host = name.flatMap({ URL(string: "http://\($0)/") }).flatMap(Origin.init)?.host ?? Origin(url)?.host
        else { return nil }
        let cookies = lines.compactMap(CookieLine.init).filter { $0.isFor(host) }
            .map { "\($0.path) \($0.name)=\($0.value)" }
        return cookies.isEmpty ? nil : cookies.sorted().joined(separator: "; ")
    }
}
