package import NetworkAddress

/// Why something is not as it should be: the closed list of the model.
package enum Reason: String, Hashable, Sendable, Codable {
    case noPath, noRoute, unreachable, silent, refused, unanswered, unexpected, redirected, untrusted, outOfTime
    case nameServerSilent, nameServerFailed, nameNotFound, nameHijacked, unsent, portal, lossy, slow, familyFailed
    case nobodyElse, targetsFailed, secureFailed, clock
    /// What was answered was not looked at: that would cost this host too much.
    case unexamined
    /// It was not asked: this host has nothing to hold its certificate against.
    case unverifiable
    /// No reference answers, and the host's own traffic goes on.
    case traffic
}

/// What came of an exchange in which the host was not heard.
package enum Miss: Hashable, Sendable, Codable {
    /// Another says that it cannot be reached: a router, or this kernel on its way.
    case told
    /// Nothing came by the time-out.
    case silent
    /// It was given up, or its way has gone, or another family was faster: no evidence.
    case void
}

/// What came of all that was asked of one target or name server.
package enum Answer: Hashable, Sendable, Codable {
    case expected
    /// Heard, and wrong: refused, another status, another body.
    case wrong(Reason)
    /// Sent elsewhere, or a page that is not its own.
    case elsewhere
    /// A certificate that is not its own.
    case untrusted
    /// Its certificate is not valid at this time.
    case outOfTime(UntimelyCertificate? = nil)
    /// Nothing by the time-out; what came of its exchanges was told before.
    case nothing
    /// This host could not send it.
    case unsent
    /// It has no address that may be asked: it says nothing, and does not count.
    case inapplicable
    /// There is no route to it.
    case noRoute
    /// It was given up: no evidence.
    case void
    /// A name's addresses, and how long they hold.
    case addresses([IPAddress], lifetime: Duration)
    /// A name server's word that is none.
    case noAddress(Reason)

    /// Whether over TLS the certificate has been found good: all that came was said under it.
    var isTrusted: Bool {
        // Out of time for what is asked of it, and valid now.
        [.expected, .wrong(.unexpected), .wrong(.unexamined), .wrong(.outOfTime)].contains(self)
    }
}
