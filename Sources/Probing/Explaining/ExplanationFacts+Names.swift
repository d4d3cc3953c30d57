internal import Connectivity
internal import NetworkAddress

/// The step of the name.
extension ExplanationFacts {
    var namesStep: Explanation.Step? {
        switch addresses {
        case nil: return nil
        case .success(let found)?:
            guard IPAddress(host) == nil else { return nil }
            let places = found.map(\.description).joined(separator: ", ")
            if ownSource == nil, let disagreement, disagreement.isFault(found, works: result?.outcome == .success) {
                return .broken(
                    .names, "the name servers disagree: \(host) is \(places)\(servers), and \(disagreement.words)",
                    .nameHijacked, advice: "use those only that know the name: see /etc/resolv.conf, resolvectl status",
                    command: "dig @\(disagreement.server) \(host)")
            }
            return Explanation.Step(.names, "\(host) is \(places)\(servers)\(slowness)")
        case .failure(let failure)?: return nameFailure(failure)
        }
    }

    /// From then on people notice.
    private static let slow = Duration.seconds(1)

    private var slowness: String {
        guard nameTime >= Self.slow else { return "" }
        let tenths = nameTime / .milliseconds(100)
        return ", which took \(Int(tenths) / 10).\(Int(tenths) % 10) s: the name server is slow"
    }

    /// Nil where the name has an address that can be of a host: `0.0.0.0` and `::` are of none (RFC 1122, 3.2.1.3).
    var emptyAddressStep: Explanation.Step? {
        guard IPAddress(host) == nil, case .success(let found)? = addresses, !found.isEmpty,
            found.allSatisfy(\.isUnspecified)
        else { return nil }
        let places = found.map(\.description).joined(separator: ", ")
        if let hostsLine {
            return .broken(
                .names, "\(host) is \(places) by line \(hostsLine) of /etc/hosts, which means no host", .nameHijacked,
                blame: .host, evidence: "so do lists that block advertising",
                advice: "remove line \(hostsLine) of /etc/hosts if it is not meant", command: "getent ahosts \(host)")
        }
        return .broken(
            .names, "the name server says that \(host) is \(places), which means no host: it blocks the name\(servers)",
            .nameHijacked, evidence: "so do name servers with a list of what is blocked",
            advice: "allow the name there, or ask another name server",
            command: nameServers.first.map { "dig @\($0) \(host)" } ?? "resolvectl query \(host)")
    }

    private func nameFailure(_ failure: ProbeFailure) -> Explanation.Step {
        if failure.reason == .overloaded { return portShortage?.step ?? unasked(failure) }
        let command = nameServers.first.map { "dig @\($0) \(host)" } ?? "resolvectl query \(host)"
        let culprit = failure.reason == .nameServerFailed ? serverCulprit : nil
        var step = Explanation.Step.broken(
            .names, culprit?.finding ?? "\(failure.description)\(servers)", failure.reason,
            blame: failure.reason == .nameNotFound ? .target : nil, evidence: culprit?.evidence,
            advice: culprit?.advice ?? Self.advice(failure.reason), command: culprit?.command ?? command)
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
    var hostsStep: Explanation.Step? {
        guard let hostsLine, result?.outcome != .success, let disagreement, case .addresses = disagreement.answer,
            case .success(let found)? = addresses
        else { return nil }
        let places = found.map(\.description).joined(separator: ", ")
        return .broken(
            .names, "\(host) is \(places) by line \(hostsLine) of /etc/hosts, and that does not work",
            result?.reason ?? .unreachable, blame: .host,
            evidence: "\(result?.failure.map { "\($0); " } ?? "")the name server \(disagreement.words)",
            advice: "correct line \(hostsLine) of /etc/hosts, or remove it if it is not meant",
            command: "getent ahosts \(host)")
    }

    /// Where the address comes from, for a step that is broken because of it.
    var hostsNote: String? {
        guard let hostsLine, case .success(let found)? = addresses, let first = found.first else { return nil }
        return "\(host) is \(first) by line \(hostsLine) of /etc/hosts"
    }

    private var servers: String {
        if let ownSource { return " (\(ownSource)\(hostsLine.map { ", line \($0)" } ?? ""))" }
        return nameServers.isEmpty ? "" : " (asked \(nameServers.joined(separator: ", ")))"
    }

    private static func advice(_ reason: ConnectivityReason?) -> String {
        switch reason {
        case .nameNotFound?: "check the spelling of the name"
        case .nameHijacked?:
            "a portal may be behind it: open a page in a browser and log in, or ask another name server"
        default: "check the name servers in /etc/resolv.conf"
        }
    }
}
