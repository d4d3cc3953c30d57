package import RE2

/// Judges replies to one target's probes. What it decides is published as a table (Documentation/truth-table.json).
package struct ReplyJudge {
    package let expectation: Expectation
    /// Over TLS the server has proved its identity, so that no portal can have answered.
    let isSecure: Bool
    let host: String
    /// What the probe asked to be given back.
    let challenge: String?
    /// What the expression for the body was compiled to; nil to compile it.
    package var expression: RegularExpression? = nil

    package init(expectation: Expectation, isSecure: Bool, host: String, challenge: String?) {
        self.expectation = expectation
        self.isSecure = isSecure
        self.host = host
        self.challenge = challenge
    }

    package func verdict(_ reply: Reply) -> ReplyVerdict {
        if reply.statusCode == 511, !isSecure { return .portal(address: reply.header("Location")) }
        if reply.isRedirect, !expectation.statuses.contains(reply.statusCode) { return redirected(reply) }
        if expectation.kind == .ordinary { return ordinary(reply) }
        if expectation.statuses.contains(reply.statusCode) { return expected(reply) }
        guard reply.statusCode == 200 || reply.statusCode == 204 else { return .inconclusive(.unexpectedStatus) }
        return otherSuccess(reply)
    }

    /// A reply with the status the endpoint promises.
    private func expected(_ reply: Reply) -> ReplyVerdict {
        switch expectation.kind {
        case .challenge where reply.header("X-Netwatch-Response") != challenge.map { "response \($0)" }:
            isSecure ? .inconclusive(.unexpectedHeader) : .portal(address: nil)
        case .body where reply.isBodyEmpty:
            .inconclusive(.mangled)
        case _ where !matchesHeader(reply):
            replaced(.unexpectedHeader)
        default:
            bodyFlaw(reply).map(replaced) ?? .online(note: reply.version == "1.0" && !isSecure ? .intercepted : nil)
        }
    }

    /// 200 where 204 was promised, or the other way round.
    private func otherSuccess(_ reply: Reply) -> ReplyVerdict {
        if reply.statusCode == 204 { return .inconclusive(.unexpectedStatus) }
        return reply.isBodyEmpty ? .inconclusive(.mangled) : replaced(.unexpectedStatus)
    }

    /// What an answer of another server means. Where this host could not tell whose it is, it proves nothing.
    private func replaced(_ reason: ConnectivityReason) -> ReplyVerdict {
        isSecure || reason == .bodyUnexamined ? .inconclusive(reason) : .portal(address: nil)
    }

    private func ordinary(_ reply: Reply) -> ReplyVerdict {
        guard expectation.statuses.contains(reply.statusCode) else { return .inconclusive(.unexpectedStatus) }
        guard matchesHeader(reply) else { return .inconclusive(.unexpectedHeader) }
        return bodyFlaw(reply).map { .inconclusive($0) } ?? .online()
    }

    private func redirected(_ reply: Reply) -> ReplyVerdict {
        let location = reply.header("Location")
        if isSecure { return ownRedirect }
        guard let location else { return .portal(address: nil) }
        if expectation.kind == .ordinary {
            // A relative address stays on this host: the server's own doing, or a portal that answers under its name.
            let place = RedirectPlace(location)
            let isOwn = place.host.map(isSameSite) ?? !place.isAbsolute
            return isOwn ? ownRedirect : .portal(address: location)
        }
        guard let parts = try? URLParts(location) else { return .portal(address: location) }
        let isUpgrade = parts.scheme == "https" && parts.host == host
        return isUpgrade ? .inconclusive(.unexpectedStatus) : .portal(address: location)
    }

    /// What a redirect means that the server itself has sent.
    private var ownRedirect: ReplyVerdict {
        expectation.admitsRedirects ? .online() : .inconclusive(.unexpectedStatus)
    }

    /// `example.org` and `www.example.org` are one site.
    private func isSameSite(_ other: String) -> Bool {
        other == host || other.hasSuffix("." + host) || host.hasSuffix("." + other)
    }

    private func matchesHeader(_ reply: Reply) -> Bool {
        guard let header = expectation.header else { return true }
        return reply.header(header.name) == header.value
    }

    private func bodyFlaw(_ reply: Reply) -> ConnectivityReason? {
        expectation.body?.flaw(of: reply, expression)
    }
}
