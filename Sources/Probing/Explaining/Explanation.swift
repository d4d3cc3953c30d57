public import Connectivity

/// How this host reaches something, step by step as packets go, up to the first step that is broken.
public struct Explanation: Hashable, Sendable, Codable {
    /// What was asked about: a URL or a host.
    public var subject: String
    /// The steps that were looked at. All but the last are well; the last one is too where ``isReachable`` is true.
    public var steps: [Step]
    /// Whether anything else works from here; nil where the way is well, or that was not asked.
    public var elsewhere: Elsewhere? = nil

    /// Whether every step is well, to the answer of the subject itself.
    public var isReachable: Bool { steps.last?.isWell ?? false }

    /// The step that is broken; nil where none is.
    public var broken: Step? { steps.first { !$0.isWell } }

    /// Whose fault it is; nil where nothing is broken.
    public var blame: TargetHealth.Blame? { broken?.blame }

    /// What is wrong and whose fault it is, in one line.
    public var summary: String {
        guard let broken else { return "\(subject): reachable" }
        return "\(subject): \(broken.finding) (fault: \(broken.fault))"
    }

    public init(subject: String, steps: [Step] = []) {
        self.subject = subject
        self.steps = steps
    }

    /// One thing that has to be right.
    public struct Step: Hashable, Sendable, Codable {
        public var kind: Kind
        public var isWell: Bool
        /// What was found, in one line.
        public var finding: String
        /// What is wrong, as a word of the closed list.
        public var reason: ConnectivityReason? = nil
        /// Whose fault it is.
        public var blame: TargetHealth.Blame? = nil
        /// What was seen that shows it, beside the finding.
        public var evidence: String? = nil
        /// What to try.
        public var advice: String? = nil
        /// A command of the system's that shows the same.
        public var command: String? = nil

        public init(_ kind: Kind, isWell: Bool = true, _ finding: String) {
            self.kind = kind
            self.isWell = isWell
            self.finding = finding
        }

        /// A step that is broken.
        ///
        /// - Parameter blame: Whose fault it is; nil where its kind tells.
        public static func broken(
            _ kind: Kind, _ finding: String, _ reason: ConnectivityReason?, blame: TargetHealth.Blame? = nil,
            evidence: String? = nil, advice: String, command: String? = nil
        ) -> Step {
            var step = Step(kind, isWell: false, finding)
            step.reason = reason
            step.blame = blame ?? kind.usualBlame
            step.evidence = evidence
            step.advice = advice
            step.command = command
            return step
        }
    }

    /// The steps, in the order in which they are looked at.
    ///
    /// Those that are hard to see (``host``, ``firewall``, ``clock``, ``mtu``) only stand there where they are broken.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case target
        /// What this process may use of this host: file descriptors, local ports.
        case host
        case interface
        case address
        /// How old an address is that a server or router lends, and how long it lasts.
        case lease
        /// The policy rule that leads to the routing table.
        case rule
        case route
        case neighbour
        case names
        /// A filter of this host's own, as a VPN sets one up, which refuses what is sent.
        case firewall
        case connection
        /// How long a packet can be on the whole way.
        case mtu
        /// The proxy's leave to go through it.
        case proxy
        /// This host's clock, by which certificates are judged.
        case clock
        case tls
        case http
        /// Each address of the name, where they are asked for.
        case addresses
        /// The other family, where the host has addresses of both.
        case family
    }
}

extension Explanation {
    /// Goes through the facts in the order packets go, and stops at the first broken step.
    init(of subject: String, _ facts: ExplanationFacts) {
        self.init(subject: subject)
        elsewhere = facts.elsewhere
        let link = LinkSteps(facts: facts)
        let rule = RuleStep(facts.subject, facts.way)
        let route = RouteSteps(facts: facts)
        let names = NameSteps(facts: facts)
        let filter = FilterStep(facts: facts)
        let transport = TransportSteps(facts: facts)
        let answer = AnswerSteps(facts: facts)
        let chain: [() -> Step?] = [
            { link.interface }, { link.address }, { link.lease }, { names.emptyAddress }, { names.hosts },
            { rule.step },
            { route.route }, { route.neighbour }, { filter.step }, { names.names }, { transport.port },
            { transport.question }, { transport.connection }, { transport.proxy }, { transport.mtu }, { answer.clock },
            { answer.tls }, { answer.http }, { answer.addresses }, { answer.family },
        ]
        for look in chain {
            guard var step = look() else { continue }
            if !step.isWell { step.note(names.hostsNote) }
            steps.append(step)
            if !step.isWell { return }
        }
    }
}

extension Explanation.Step {
    /// Adds to what shows it.
    fileprivate mutating func note(_ more: String?) {
        guard let more, kind != .names else { return }
        evidence = evidence.map { "\($0); \(more)" } ?? more
    }
}

extension Explanation.Kind {
    /// Whose fault a broken step of this kind mostly is.
    fileprivate var usualBlame: TargetHealth.Blame {
        switch self {
        case .host, .firewall, .clock: .host
        case .interface, .address, .lease, .rule, .route: .path
        case .neighbour, .mtu: .uplink
        case .names: .resolver
        case .target, .connection, .proxy, .tls, .http, .addresses, .family: .target
        }
    }
}
