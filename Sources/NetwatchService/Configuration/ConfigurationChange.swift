import Connectivity

/// What another configuration changes, a line each.
enum ConfigurationChange {
    static func lines(from old: ConnectivityConfiguration, to new: ConnectivityConfiguration) -> [String] {
        changes(from: Setting.general(old), to: Setting.general(new)) + targets(from: old.targets, to: new.targets)
    }

    static func lines(from old: ServiceConfiguration, to new: ServiceConfiguration) -> [String] {
        changes(from: Setting.all(of: old), to: Setting.all(of: new)) + hiddenChanges(from: old, to: new)
    }

    /// The settings of which only what is not shown has changed, such as the path of an address.
    private static func hiddenChanges(from old: ServiceConfiguration, to new: ServiceConfiguration) -> [String] {
        let parts: [(name: String, value: (ServiceConfiguration) -> AnyHashable)] = [
            ("push", { $0.push }), ("webhooks", { $0.webhooks }), ("modules", { $0.modules }),
        ]
        return parts.filter { name, value in
            func shown(_ configuration: ServiceConfiguration) -> [Setting] {
                Setting.all(of: configuration).filter { $0.key.hasPrefix("service.\(name)") }
            }
            return value(old) != value(new) && shown(old) == shown(new)
        }.map { "service.\($0.name) changed" }
    }

    private static func targets(from old: [Target], to new: [Target]) -> [String] {
        let before = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
        let after = Set(new.map(\.name))
        let removed = old.filter { !after.contains($0.name) }.map { "target \(DisplayText.safe($0.name)) removed" }
        return removed
            + new.flatMap { target -> [String] in
                let name = DisplayText.safe(target.name)
                guard let known = before[target.name] else { return ["target \(name) added"] }
                guard known != target else { return [] }
                let lines = changes(from: Setting.own(of: known), to: Setting.own(of: target))
                // What is not shown has changed then.
                return lines.isEmpty ? ["target \(name) changed"] : lines.map { "target \(name) \($0)" }
            }
    }

    private static func changes(from old: [Setting], to new: [Setting]) -> [String] {
        let before = Dictionary(old.map { ($0.key, $0.value) }) { first, _ in first }
        let after = Set(new.map(\.key))
        let changed = new.filter { before[$0.key] != $0.value }.map { setting in
            "\(setting.key): \(before[setting.key] ?? "default") → \(setting.value)"
        }
        return changed + old.filter { !after.contains($0.key) }.map { "\($0.key): \($0.value) → default" }
    }
}
