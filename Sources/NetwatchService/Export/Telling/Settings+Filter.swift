extension HookSettings {
    var filter: EventFilter { EventFilter(kinds: kinds, targets: targets) }
}

extension WebhookSettings {
    var filter: EventFilter { EventFilter(kinds: kinds, targets: targets) }
}
