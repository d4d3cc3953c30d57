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

    /// The configuration in which the target is probed: a URL that is none of the targets is the only one.
    func configuration(_ given: ConnectivityConfiguration) throws -> ConnectivityConfiguration {
        guard case .target(let name) = condition, !given.targets.contains(where: { $0.name == name }) else {
            return given
        }
        guard name.contains("://") else {
            let known = given.targets.map(\.name).joined(separator: ", ")
            throw ValidationError("there is no target '\(name)'; there are \(known)")
        }
        var configuration = given
        do throws(TargetError) {
            configuration.targets = [try Target(name)]
        } catch {
            throw ValidationError(error.description)
        }
        return configuration
    }
}
