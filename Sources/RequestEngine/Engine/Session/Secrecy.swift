internal import FoundationEssentials

/// What a request knows of the origin that its secrets are for. They are for the origin that was asked first, and once a redirect has
/// led away from it, they are gone for good: also where it leads back, since another host has chosen what is asked for.
package struct Secrecy: Hashable, Sendable {
    var hasLeftOrigin = false
    /// The fields that an authenticator has put in, by their names in small letters: secret whatever they are called.
    package internal(set) var fields: Set<String> = []
    /// What was given on purpose to an origin that a redirect has led to.
    package var grant: Grant?

    package struct Grant: Hashable, Sendable {
        let origin: Origin
        var headers: HeaderFields = [:]
        var credential: Credential?

        package init(origin: Origin, headers: HeaderFields = [:], credential: Credential? = nil) {
            self.origin = origin
            self.headers = headers
            self.credential = credential
        }
    }
}

extension Request {
    /// Whether a redirect has led away from the origin that was asked first. From then on nothing secret goes out with the
    /// request: no `Authorization`, `Cookie` and the like, no credential, no client identity, whichever interceptor adds them; but for
    /// what a ``RedirectHandler`` or a ``ChallengeHandler`` gives to the new origin on purpose.
    public var hasLeftOrigin: Bool { secrecy.hasLeftOrigin }

    package var secrecy: Secrecy {
        get { options.secrecy }
        set { options.secrecy = newValue }
    }

    /// Whether a field is for one origin only: it tells the client's identity, or by what name the server is asked.
    func isBound(_ name: String) -> Bool {
        let name = name.lowercased()
        return name == "host" || HeaderFields.secretNames.contains(name) || secrecy.fields.contains(name)
    }

    /// Takes away what was meant for the origin that was asked first.
    mutating func leaveOrigin() {
        secrecy.hasLeftOrigin = true
        addresses = nil
        if securityPolicy?.clientIdentity != nil { securityPolicy?.clientIdentity = nil }
        dropBound()
    }

    private mutating func dropBound() {
        if credential != nil { credential = nil }
        headers = HeaderFields(headers.filter { !isBound($0.name) })
    }

    /// The request as it may go out: without secrets that were added for another origin than the one it asks.
    var withoutForeignSecrets: Request {
        guard hasLeftOrigin else { return self }
        var request = self
        request.dropBound()
        if let grant = secrecy.grant, grant.origin == Origin(url) {
            request.headers = request.headers.merging(grant.headers)
            request.credential = grant.credential
        }
        return request
    }

    /// Notes the fields that were put in since, as secret.
    package mutating func noteSecrets(since earlier: Request) {
        for field in headers where !earlier.headers.contains(field) { secrecy.fields.insert(field.name.lowercased()) }
    }

    /// What an interceptor sends after this request in place of what was proposed. What it has in common with this one of
    /// secrets stays with their origin; what is new is meant for the one it asks.
    func followed(by next: Request) -> Request {
        var next = next
        next.secrecy.fields.formUnion(secrecy.fields)
        guard hasLeftOrigin || Origin(url) != Origin(next.url) else { return next }
        let grant = self.grant(to: next)
        let (addresses, policy) = (next.addresses, next.securityPolicy)
        next.leaveOrigin()
        next.addresses = addresses
        if policy != securityPolicy { next.securityPolicy = policy }
        if let grant { next.secrecy.grant = grant }
        return next
    }

    private func grant(to next: Request) -> Secrecy.Grant? {
        guard let origin = Origin(next.url) else { return nil }
        let headers = HeaderFields(next.headers.filter { isBound($0.name) && !self.headers.contains($0) })
        let credential = next.credential == self.credential ? nil : next.credential
        guard !headers.isEmpty || credential != nil else { return nil }
        return Secrecy.Grant(origin: origin, headers: headers, credential: credential)
    }
}
