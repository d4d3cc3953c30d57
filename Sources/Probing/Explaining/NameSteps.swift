internal import Connectivity
internal import NetworkAddress
internal import RequestEngine

/// The step of the name.
struct NameSteps {
    let facts: ExplanationFacts
    private var subject: Subject { facts.subject }
    private var result: ProbeResult? { facts.farEnd.result }

    var names: Explanation.Step? {
        switch facts.names.addresses {
        case nil: return nil
        case .success(let found)?:
            guard IPAddress(subject.host) == nil else { return nil }
            let places = found.map(\.description).joined(separator: ", ")
            if facts.names.ownSource == nil, let disagreement = facts.names.disagreement,
                disagreement.isFault(
                    found, isElsewhere: result?.reason == .certificateName || result?.outcome == .portal)
            {
                return .broken(
                    .names,
                    "the name servers disagree: \(subject.host) is \(places)\(servers), and \(disagreement.words)",
                    .nameHijacked, advice: "use those only that know the name: see /etc/resolv.conf, resolvectl status",
                    command: subject.lookUp(at: "\(disagreement.server)"))
            }
            return Explanation.Step(.names, "\(subject.host) is \(places)\(servers)\(slowness)")
        case .failure(let failure)?: return nameFailure(failure)
        }
    }

    /// From then on people notice.
    private static let slow = Duration.seconds(1)

    private var slowness: String {
        guard facts.names.time >= Self.slow else { return "" }
        let tenths = facts.names.time / .milliseconds(100)
        return ", which took \(Int(tenths) / 10).\(Int(tenths) % 10) s: the name server is slow"
    }

    /// Nil where the name has an address that can be of a host: `0.0.0.0` and `::` are of none (RFC 1122, 3.2.1.3).
    var emptyAddress: Explanation.Step? {
        guard IPAddress(subject.host) == nil, case .success(let found)? = facts.names.addresses, !found.isEmpty,
            found.allSatisfy(\.isUnspecified)
        else { return nil }
        let places = found.map(\.description).joined(separator: ", ")
        if let hostsLine = facts.names.hostsLine {
            return .broken(
                .names, "\(subject.host) is \(places) by line \(hostsLine) of /etc/hosts, which means no host",
                .nameHijacked,
                blame: .host, evidence: "so do lists that block advertising",
                advice: "remove line \(hostsLine) of /etc/hosts if it is not meant",
                command: "getent ahosts \(ShellQuoting.quote(subject.host))")
        }
        return .broken(
            .names,
            "the name server says that \(subject.host) is \(places), which means no host: it blocks the name\(servers)",
            .nameHijacked, evidence: "so do name servers with a list of what is blocked",
            advice: "allow the name there, or ask another name server",
            command: subject.lookUp(at: facts.names.servers.first))
    }

    private func nameFailure(_ failure: ProbeFailure) -> Explanation.Step {
        if failure.reason == .overloaded { return facts.host.portShortage?.step ?? unasked(failure) }
        let command = subject.lookUp(at: facts.names.servers.first, for: facts.names.asked)
        let culprit = failure.reason == .nameServerFailed ? ServerFault(facts: facts).found : nil
        var step = Explanation.Step.broken(
            .names, culprit?.finding ?? "\(failure.description)\(servers)", failure.reason,
            blame: failure.reason == .nameNotFound ? .target : nil, evidence: culprit?.evidence,
            advice: culprit?.advice ?? advice(failure.reason), command: culprit?.command ?? command)
        if let culprit { step.blame = culprit.blame }
        return step
    }

    /// Nothing was sent: it is no name server's fault.
    private func unasked(_ failure: ProbeFailure) -> Explanation.Step {
        .broken(
            .host, failure.description, .overloaded,
            advice: "see what holds so many ports or files open, or so much memory",
            command: "ss -s")
    }

    /// The address of `/etc/hosts` is not that of the name servers, and does not work.
    var hosts: Explanation.Step? {
        guard let hostsLine = facts.names.hostsLine, result?.outcome != .success,
            let disagreement = facts.names.disagreement, case .addresses = disagreement.answer,
            case .success(let found)? = facts.names.addresses
        else { return nil }
        let places = found.map(\.description).joined(separator: ", ")
        return .broken(
            .names, "\(subject.host) is \(places) by line \(hostsLine) of /etc/hosts, and that does not work",
            result?.reason ?? .unreachable, blame: .host,
            evidence: "\(result?.failure.map { "\($0); " } ?? "")the name server \(disagreement.words)",
            advice: "correct line \(hostsLine) of /etc/hosts, or remove it if it is not meant",
            command: "getent ahosts \(ShellQuoting.quote(subject.host))")
    }

    /// Where the address comes from, for a step that is broken because of it.
    var hostsNote: String? {
        guard let hostsLine = facts.names.hostsLine, case .success(let found)? = facts.names.addresses,
            let first = found.first
        else { return nil }
        return "\(subject.host) is \(first) by line \(hostsLine) of /etc/hosts"
    }

    private var servers: String {
        if let ownSource = facts.names.ownSource {
            return " (\(ownSource)\(facts.names.hostsLine.map { ", line \($0)" } ?? ""))"
        }
        return facts.names.servers.isEmpty ? "" : " (asked \(facts.names.servers.joined(separator: ", ")))"
    }

    private func advice(_ reason: ConnectivityReason?) -> String {
        if facts.names.lacksFamily {
            return """
                the name is there, and has no address of this family: ask by the other one (-4, -6, or "family" in the file)
                """
        }
        return switch reason {
        case .nameNotFound?: "check the spelling of the name"
        case .nameHijacked?:
            "a portal may be behind it: open a page in a browser and log in, or ask another name server"
        default: "check the name servers in /etc/resolv.conf"
        }
    }
}
