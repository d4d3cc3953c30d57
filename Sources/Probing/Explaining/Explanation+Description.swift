internal import Connectivity

extension Explanation: CustomStringConvertible {
    /// What is wrong and whose fault it is, then one line a step, with what shows it and what to try below a broken one, and
    /// whether anything else works.
    public var description: String {
        let last = elsewhere.map { ["  --  elsewhere   \($0.summary)"] } ?? []
        return ([summary] + steps.flatMap(\.lines) + last).joined(separator: "\n")
    }
}

extension Explanation.Step {
    fileprivate var lines: [String] {
        let name = kind.rawValue + String(repeating: " ", count: 11 - kind.rawValue.count)
        let first = "  \(isWell ? "ok " : "BAD") \(name) \(finding)"
        let more = [evidence.map { "seen: \($0)" }, advice.map { "try: \($0)" }, command.map { "see: \($0)" }]
        return [first] + more.compactMap { $0.map { "      \($0)" } }
    }

    /// Whose fault it is, in words.
    var fault: String {
        switch (blame, kind) {
        case (.path?, .rule), (.path?, .route): "this host's routing"
        // Nothing comes back by it, where another way works: a tunnel, a gateway, a translator.
        case (.path?, .connection) where reason == .connectTimeout: "the way to it"
        case (.path?, .names): "the way to it"
        case (.path?, _): "this host's link"
        case (.host?, .firewall): "this host's own firewall"
        case (.host?, .clock): "this host's clock"
        case (.host?, .neighbour): "this host's netmask, or the far end"
        case (.host?, _): "this host"
        case (.uplink?, _): "the network"
        case (.resolver?, _): "the name server"
        case (.target?, .proxy): "the proxy"
        case (.target?, _): "the far end"
        case (.unknown?, _), (nil, _): "not known"
        }
    }
}
