import ArgumentParser
import Connectivity

/// What `netwatch wait` waits for: a state, or a target by its name or its URL.
struct WaitGoal {
    /// The states that have a name.
    static let states = ["full", "limited", "portal", "local", "path", "ethernet", "wifi", "wwan"]

    let condition: WaitCondition

    init(condition: WaitCondition) {
        self.condition = condition
    }

    init(_ text: String) throws {
        guard let condition = WaitCondition(text) else { throw ValidationError("name a state or a target") }
        self.init(condition: condition)
    }

    var needsProbes: Bool {
        switch condition {
        case .path, .reachability: false
        case .connectivity, .target: true
        }
    }

    /// What is waited for there: a target without a name of its own is called by its URL, without user and password.
    func condition(in configuration: ConnectivityConfiguration) -> WaitCondition {
        guard case .target(let name) = condition, !configuration.targets.contains(where: { $0.name == name }) else {
            return condition
        }
        return .target(URLParts.withoutUser(name))
    }

    /// The configuration in which the target is probed: a URL that is none of the targets is the only one.
    func configuration(_ given: ConnectivityConfiguration) throws -> ConnectivityConfiguration {
        var configuration = given
        if case .target(let name) = condition, !given.targets.contains(where: { $0.name == name }) {
            configuration.targets = [try target(name, besides: given.targets)]
            // What a file says of probes is about its own targets; this one is to be probed.
            configuration.probesEnabled = true
        }
        if needsProbes, !configuration.probesEnabled {
            throw ValidationError(
                "the configuration says probes: false, and without them nothing is known to answer: add --for path")
        }
        return configuration
    }

    private func target(_ name: String, besides others: [Target]) throws -> Target {
        guard name.contains("://") else {
            let known = others.map(\.name).joined(separator: ", ")
            throw ValidationError("there is no target '\(name)'; there are \(known)")
        }
        do throws(TargetError) {
            return try Target(name)
        } catch {
            throw ValidationError(error.description)
        }
    }
}
