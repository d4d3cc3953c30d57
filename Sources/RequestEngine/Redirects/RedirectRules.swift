internal import FoundationEssentials

/// What HTTP says about the request that follows a redirect (RFC 9110, section 15.4; the Fetch standard, 4.4).
enum RedirectRules {
    static let statusCodes: Set<Int> = [301, 302, 303, 307, 308]

    /// The request a redirect asks for; nil where the answer is no redirect that can be followed.
    static func proposal(_ request: Request, _ statusCode: Int, _ headers: HeaderFields) -> Request? {
        guard statusCodes.contains(statusCode), let target = target(request.url, headers) else { return nil }
        var proposed = request
        proposed.url = target
        if changesToGet(statusCode, request.method) { becomeGet(&proposed) }
        if Origin(request.url) == Origin(target) {
            proposed.url = target.keepingUser(of: request.url)
        } else {
            proposed.leaveOrigin()
        }
        return proposed
    }

    private static func target(_ base: URL, _ headers: HeaderFields) -> URL? {
        guard let location = headers.values(of: "Location").first, !location.isEmpty,
            let url = URL.following(location, from: base),
            let origin = Origin(url), ["http", "https"].contains(origin.scheme)
        else { return nil }
        return inheritFragment(of: base, url)
    }

    /// RFC 9110, section 10.2.2: a target without a fragment takes over that of the URL it came from.
    private static func inheritFragment(of base: URL, _ url: URL) -> URL {
        guard url.fragment() == nil, let fragment = base.fragment(percentEncoded: true) else { return url }
        return URL(string: "\(url.absoluteString)#\(fragment)") ?? url
    }

    private static func becomeGet(_ request: inout Request) {
        request.method = .get
        request.body = nil
        for name in ["Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location"] {
            request.headers.remove(name)
        }
    }

    private static func changesToGet(_ statusCode: Int, _ method: RequestMethod) -> Bool {
        switch statusCode {
        case 301, 302: method == .post
        case 303: method != .get && method != .head
        default: false
        }
    }
}

extension URL {
    /// Within an origin the name and password stay, however the server writes where it leads.
    fileprivate func keepingUser(of other: URL) -> URL {
        guard user(percentEncoded: true) == nil, let user = other.user(percentEncoded: true),
            var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        components.percentEncodedUser = user
        components.percentEncodedPassword = other.password(percentEncoded: true)
        return components.url ?? self
    }
}
