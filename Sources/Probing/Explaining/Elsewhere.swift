public import NetworkAddress

/// Whether anything else works from this host, asked where the way to the subject is broken: the last step of an
/// explanation.
public struct Elsewhere: Hashable, Sendable, Codable {
    /// What was asked, all at one time; none where there was nothing else to ask.
    public var checks: [Check]

    /// Whether anything answered beyond the next router; nil where nothing there was asked.
    public var works: Bool? {
        let beyond = checks.filter { $0.kind != .gateway }
        return beyond.isEmpty ? nil : beyond.contains(where: \.answers)
    }

    /// What came of it, in one line.
    public var summary: String {
        guard !checks.isEmpty else { return "there was nothing else to ask: no other way leads out" }
        let words = Check.Kind.allCases.flatMap(words)
        let answer = works.map { $0 ? "yes" : "no" } ?? "not asked beyond the gateway"
        return "\(answer): \(words.joined(separator: "; "))"
    }

    public init(checks: [Check] = []) {
        self.checks = checks
    }

    /// One host that was asked by one way.
    public struct Check: Hashable, Sendable, Codable {
        public var kind: Kind
        public var host: IPAddress
        /// The interface that it was asked by; nil where the kernel knew none.
        public var interface: String?
        /// Whether anything came back from the host itself, if only a refusal.
        public var answers: Bool

        public init(_ kind: Kind, _ host: IPAddress, interface: String?, answers: Bool) {
            self.kind = kind
            self.host = host
            self.interface = interface
            self.answers = answers
        }

        /// What was asked about, in the order in which it is told.
        public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
            /// The next router.
            case gateway
            /// A host beyond it, known by its address, over the same way.
            case reference
            /// A host by the link that a tunnel runs over, without the tunnel.
            case linkBelow = "link-below"
            /// A host by another interface that leads out.
            case uplink
        }
    }
}

extension Elsewhere {
    /// What is said of one kind, the working ways first.
    private func words(_ kind: Check.Kind) -> [String] {
        let own = checks.filter { $0.kind == kind }
        switch kind {
        case .gateway: return own.map { "the gateway \($0.host) \($0.answers ? "answers" : "does not answer")" }
        case .reference: return referenceWords(own)
        case .linkBelow: return wayWords(own) { "\($0) without the tunnel" }
        case .uplink: return wayWords(own) { $0 }
        }
    }

    private func referenceWords(_ own: [Check]) -> [String] {
        let living = own.filter(\.answers).map(\.host.description)
        let silent = own.filter { !$0.answers }.map(\.host.description)
        return [
            living.isEmpty ? nil : "\(living.listed("and")) \(living.count == 1 ? "answers" : "answer")",
            silent.isEmpty ? nil : "\(silent.listed("and")) \(silent.count == 1 ? "does" : "do") not",
        ].compactMap { $0 }
    }

    private func wayWords(_ own: [Check], _ name: (String) -> String) -> [String] {
        var interfaces: [String] = []
        for check in own {
            if let interface = check.interface, !interfaces.contains(interface) { interfaces.append(interface) }
        }
        return interfaces.map { interface in
            let living = own.first { $0.interface == interface && $0.answers }
            return living.map { "\(name(interface)) works (\($0.host) answers)" } ?? "\(name(interface)) does not work"
        }
    }

    /// The first check of a kind that was answered.
    func living(_ kind: Check.Kind) -> Check? { checks.first { $0.kind == kind && $0.answers } }

    func asked(_ kind: Check.Kind) -> [Check] { checks.filter { $0.kind == kind } }
}

extension [String] {
    /// `a`, `a and b`, `a, b and c`.
    func listed(_ conjunction: String) -> String {
        guard count > 1, let last else { return first ?? "" }
        return "\(dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }
}
