import Connectivity
import FoundationEssentials

extension Setting {
    static func hooks(_ hooks: [HookSettings]) -> [Setting] {
        hooks.isEmpty ? [Setting("service.hooks", "none")] : hooks.enumerated().flatMap(hook)
    }

    private static func hook(_ index: Int, _ hook: HookSettings) -> [Setting] {
        let key = "service.hooks[\(index)]"
        return [
            Setting("\(key).command", list(hook.command)), Setting("\(key).kinds", kinds(hook.filter.kinds)),
            Setting("\(key).targets", hook.filter.targets.isEmpty ? "all" : list(hook.filter.targets.sorted())),
            Setting("\(key).timeout", words(hook.timeout)),
        ]
    }

    static func webhooks(_ webhooks: [WebhookSettings]) -> [Setting] {
        webhooks.isEmpty ? [Setting("service.webhooks", "none")] : webhooks.enumerated().flatMap(webhook)
    }

    private static func webhook(_ index: Int, _ webhook: WebhookSettings) -> [Setting] {
        let key = "service.webhooks[\(index)]"
        let optional: [(String, String?)] = [
            ("url", withoutPath(webhook.url)),
            ("format", webhook.format.rawValue), ("kinds", kinds(webhook.filter.kinds)),
            ("targets", webhook.filter.targets.isEmpty ? "all" : list(webhook.filter.targets.sorted())),
            ("timeout", words(webhook.timeout)),
            ("headers", webhook.headers.isEmpty ? nil : table(webhook.headers.mapValues { _ in hidden })),
            ("tokenFile", webhook.tokenFile), ("user", webhook.user), ("passwordFile", webhook.passwordFile),
            ("secretFile", webhook.secretFile), ("caFile", webhook.caFile ?? "the system's"),
        ]
        return optional.compactMap { name, value in value.map { Setting("\(key).\(name)", $0) } }
    }

    private static func kinds(_ kinds: Set<Event.Kind>) -> String {
        kinds.isEmpty ? "all" : list(kinds.map(\.rawValue).sorted())
    }
}
