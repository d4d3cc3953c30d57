internal import Connectivity
internal import NetworkAddress
internal import Reachability
internal import RequestEngine
internal import Resolver
internal import SystemPackage

/// Why the name servers gave no address.
struct ServerFault {
    let facts: ExplanationFacts
    private var subject: Subject { facts.subject }

    /// Nil where nothing more is known than that they did not.
    var found: ExplainedFault? {
        let answers = facts.names.serverAnswers.filter { $0.code != nil }
        // One that says that the name is not there has not failed.
        let failed = answers.first { $0.code != ServerAnswer.noSuchName }
        if let answer = failed ?? answers.first, let code = answer.code { return culprit(answer, code) }
        if let closed = facts.names.serverAnswers.first(where: { $0.outcome == .failed(.connectionRefused) }) {
            if isWithoutServers { return withoutServers }
            return ExplainedFault(
                finding: "nothing listens at port \(closed.server.port) of the name server \(closed.server.address)",
                evidence: "the host answers, and refuses (ECONNREFUSED)", blame: .resolver,
                advice: "start the name server there, or name another one in /etc/resolv.conf")
        }
        if let cut = facts.names.serverAnswers.first(where: { $0.outcome == .cutShort }) {
            return cutAnswer(cut.server.address)
        }
        if let half = facts.names.serverAnswers.first(where: { $0.answered != nil }), let family = half.answered {
            return halfAnswer(half.server.address, answered: family)
        }
        guard !facts.names.serverAnswers.isEmpty, facts.names.serverAnswers.allSatisfy(\.isMissing) else { return nil }
        return SilentWay(facts: facts).fault ?? silentStub ?? silentServers
    }

    /// A resolver on this host itself, which asks others: it is silent where they are, too.
    private var silentStub: ExplainedFault? {
        let servers = facts.names.serverAnswers.map(\.server.address)
        guard let stub = servers.first, servers.allSatisfy(\.isLoopback) else { return nil }
        return ExplainedFault(
            finding: "the name server \(stub) on this host itself does not answer",
            evidence: facts.elsewhere?.living(.reference).map { "\($0.host) answers" }
                ?? "it listens, and has no answer from those it asks, or hangs",
            blame: .resolver, advice: "see which name servers it asks and whether they answer, or start it anew",
            command: "resolvectl status")
    }

    private func cutAnswer(_ server: IPAddress) -> ExplainedFault {
        ExplainedFault(
            finding:
                "the name server \(server) has more to answer for \(question) than a datagram holds, and not by TCP",
            evidence: "it answers by UDP that it is to be asked by TCP, and that gives no answer", blame: .resolver,
            advice: "see what keeps TCP port 53 shut (a firewall), or name another name server in /etc/resolv.conf",
            command: "dig +tcp @\(server) \(ShellQuoting.quote(question))")
    }

    private func halfAnswer(_ server: IPAddress, answered: AddressFamily) -> ExplainedFault {
        let asked: AddressFamily = answered == .ipv4 ? .ipv6 : .ipv4
        return ExplainedFault(
            finding: "the name server \(server) does not answer for the \(asked.words) addresses of \(question)",
            evidence: "it answers for its \(answered.words) addresses", blame: .resolver,
            advice:
                "see what takes such questions or their answers away, or name another name server in /etc/resolv.conf")
    }

    /// Then this host itself is asked (resolv.conf(5)).
    private var isWithoutServers: Bool {
        subject.interface == nil && subject.path.nameServers.isEmpty
            && facts.names.serverAnswers.allSatisfy(\.server.address.isLoopback)
    }

    private var withoutServers: ExplainedFault {
        ExplainedFault(
            finding: "no name server is named in /etc/resolv.conf, and none listens at this host itself",
            evidence: "127.0.0.1, which is asked then, refuses (ECONNREFUSED)", blame: .host,
            advice:
                "name one in /etc/resolv.conf: does what writes it run (DHCP client, NetworkManager, systemd-resolved)?"
        )
    }

    /// They alone are silent, or nothing else was asked.
    private var silentServers: ExplainedFault? {
        let names = facts.names.serverAnswers.map(\.server.address.description)
        let finding =
            "the name server\(names.count == 1 ? "" : "s") \(names.listed("and")) \(names.count == 1 ? "does" : "do") not answer"
        if let living = facts.elsewhere?.living(.reference) {
            return ExplainedFault(
                finding: finding, evidence: "\(living.host) answers on the same way", blame: .resolver,
                advice: "the way is well: name another name server in /etc/resolv.conf, or see why that one is silent")
        }
        guard let gateway = facts.elsewhere?.asked(.gateway).first, gateway.answers else { return nil }
        return ExplainedFault(
            finding: "\(finding), the gateway \(gateway.host) does",
            evidence: "nothing else beyond the gateway was asked", blame: nil,
            advice: """
                see whether anything answers from beyond the gateway (netwatch explain, with an address); if so name another \
                name server in /etc/resolv.conf, if not its line is down
                """)
    }

    /// The name that they were asked for.
    private var question: String {
        if let asked = facts.names.asked { return asked }
        let parts = subject.parts
        return parts.scheme == "dns" ? parts.queryName : subject.host
    }

    private func culprit(_ answer: ServerAnswer, _ code: UInt8) -> ExplainedFault {
        let server = answer.server.address
        let word = ServerAnswer.word(code)
        if code == ServerAnswer.refused {
            return ExplainedFault(
                finding: "the name server \(server) refuses to answer for \(question): \(word)",
                evidence: "it answers, with the code \(word)", blame: .resolver,
                advice: "it does not serve this host, or not this name: name one in /etc/resolv.conf that does")
        }
        if answer.answersUnchecked == true {
            return ExplainedFault(
                finding: "the name server \(server) finds the signatures of \(question) not valid (DNSSEC): \(word)",
                evidence: "it answers where it is told not to check them (dig +cd)", blame: .target,
                advice: """
                    the zone is signed wrongly, or the name server's clock is off: dig +cd @\(server) \
                    \(ShellQuoting.quote(question))
                    """)
        }
        if code == 0 || code == ServerAnswer.noSuchName {
            let says = code == 0 ? "answers for \(question) now" : "says now that there is no name \(question)"
            let silent = facts.names.serverAnswers.filter(\.isMissing).map(\.server.address.description)
            return ExplainedFault(
                finding: "the name server \(server) \(says), and did not a moment ago",
                evidence: "it answers, with the code \(word)"
                    + (silent.isEmpty ? "" : "; no answer from \(silent.listed("nor"))"), blame: nil,
                advice:
                    "ask again: if it comes and goes, packets are lost on the way there, or the server is overloaded")
        }
        // A router whose line is dead answers like that.
        if let silence = SilentWay(facts: facts).fault {
            return ExplainedFault(
                finding: silence.finding, evidence: "\(silence.evidence); the name server \(server) answers \(word)",
                blame: silence.blame, advice: silence.advice)
        }
        return ExplainedFault(
            finding: "the name server \(server) answers for \(question) with \(word)",
            evidence: "it is there, and could not find out"
                + (facts.elsewhere?.living(.reference).map { "; \($0.host) answers on the same way" } ?? ""),
            blame: .resolver,
            advice: "see the name server's log, and whether it reaches its own servers; ask another: /etc/resolv.conf")
    }
}
