package import Evidence
package import NetworkAddress

/// What a prober tells while it probes, one thing after the other.
///
/// Of each question there are any number of exchanges, each with `sent` and then one of `heard` and `missed`, and one end
/// after all of them. Of a question that was cancelled nothing more is told.
package enum ProbeReport: Hashable, Sendable, Codable {
    /// It leaves now to this host; the kernel was asked for the way.
    case sent(Probe.ID, Host)
    /// The host's first word of any kind (SYN-ACK, RST, port unreachable from the host itself, echo reply, any DNS answer),
    /// so long after it was sent.
    case heard(Probe.ID, IPAddress, after: Duration)
    /// No word of the host's. It was told by a router or this kernel, nothing came by the time-out, or it was given up.
    case missed(Probe.ID, IPAddress, Miss)
    /// A target's probe has ended.
    case ended(Probe.ID, ProbeResult)
    /// A touch or a look-up has ended.
    ///
    /// A touch: `expected` where the host was heard, `nothing`, `unsent`, `noRoute`, `void`. A look-up: `addresses`,
    /// `noAddress` by a name server's word, `nothing`, `unsent`, `noRoute`, `void`.
    case answered(Probe.ID, Answer)

    /// Which question it is about.
    package var id: Probe.ID {
        switch self {
        case .sent(let id, _), .heard(let id, _, _), .missed(let id, _, _), .ended(let id, _), .answered(let id, _): id
        }
    }

    /// Whether nothing more is told of the question.
    package var isLast: Bool {
        switch self {
        case .sent, .heard, .missed: false
        case .ended, .answered: true
        }
    }
}

/// A word of any kind from a host: a TCP connection that is reset as soon as it stands.
package struct Touch: Hashable, Sendable, Identifiable {
    /// Counted together with those of probes and look-ups.
    package var id: Probe.ID
    package var host: Host
    /// Where to connect to; nil to try 80, 443 and 53, each where the one before is silent.
    package var port: UInt16?
    /// Whether it has to leave by the interface of the host's way, whatever the route says.
    package var isBound: Bool
    /// Whether its host is known by its echo, and may answer to nothing else.
    package var isEcho = false
    /// How long it may take in all.
    package var timeout: Duration

    package init(id: Probe.ID, host: Host, port: UInt16? = nil, isBound: Bool = false, timeout: Duration) {
        self.id = id
        self.host = host
        self.port = port
        self.isBound = isBound
        self.timeout = timeout
    }
}

/// A question for the addresses of a name.
package struct NameQuestion: Hashable, Sendable, Identifiable {
    /// Counted together with those of probes and touches.
    package var id: Probe.ID
    package var name: String
    /// The only server that is asked; nil to look the name up as this host does.
    package var server: IPAddress?
    /// The interface that the question has to leave by; nil to leave by the route.
    package var interface: String?
    /// The only family asked for; nil for both.
    package var family: AddressFamily?
    /// How long it may take in all.
    package var timeout: Duration

    package init(
        id: Probe.ID, name: String, server: IPAddress? = nil, interface: String? = nil, family: AddressFamily? = nil,
        timeout: Duration
    ) {
        self.id = id
        self.name = name
        self.server = server
        self.interface = interface
        self.family = family
        self.timeout = timeout
    }
}
