import Connectivity
import EventLoop
import History
import Netwatch
import Synchronization

/// The hooks and webhooks of a service. Another configuration exchanges them while it runs: those that it has too go on.
final class Telling: Sendable {
    /// What one of them was made of.
    private enum Origin: Hashable {
        case hook(HookSettings)
        case webhook(WebhookSettings)

        var name: String {
            switch self {
            case .hook(let settings): settings.name
            case .webhook(let settings): settings.name
            }
        }
    }

    private struct Member {
        let origin: Origin
        let exporter: any TellingExporter
    }

    private struct State {
        var members: [Member] = []
        var hasBegun = false
    }

    private let origin: EventOrigin
    private let history: History?
    private let monitor: ConnectivityMonitor
    private let state = Mutex(State())
    private let loops = Mutex<[String: EventLoop]>([:])

    /// - Parameter history: What keeps the events; nil where none is kept.
    init(origin: EventOrigin, history: History?, monitor: ConnectivityMonitor) {
        (self.origin, self.history, self.monitor) = (origin, history, monitor)
    }

    var health: [ExportHealth] { state.withLock { $0.members.map(\.exporter.health) } }

    /// On the watcher's loop. It never waits.
    func take(_ event: Event) {
        let exporters = state.withLock { state in
            state.hasBegun = true
            return state.members.map(\.exporter)
        }
        for exporter in exporters { exporter.take(event) }
    }

    /// Takes the hooks and webhooks of a configuration in the place of those there are. One call at a time.
    ///
    /// - Throws: ``EventLoopError`` or ``RequestError`` where the system gives no thread; then all stays as it is.
    func change(to service: ServiceConfiguration) throws {
        let (before, hasBegun) = state.withLock { ($0.members, $0.hasBegun) }
        let origins = service.hooks.map(Origin.hook) + service.webhooks.map(Origin.webhook)
        var (gone, kept): ([Member], [Member?]) = (before, [])
        for origin in origins {
            kept.append(gone.firstIndex { $0.origin == origin }.map { gone.remove(at: $0) })
        }
        let (members, new) = try joined(origins, kept, before: before)
        // Not within the lock, which the watcher's loop takes for each event.
        let event = hasBegun && !new.isEmpty ? monitor.current : nil
        state.withLock { $0.members = members }
        end(gone, besides: members)
        for member in new {
            member.exporter.health.begin()
            member.exporter.start(after: event)
        }
        for exporter in gone.map(\.exporter) {
            Task(executorPreference: exporter.loop) { await exporter.finish() }
        }
    }

    /// Has nothing more told of some by their names, which others may bear by now.
    private func end(_ gone: [Member], besides others: [Member]) {
        let names = Set(others.map(\.exporter.health.name))
        for health in gone.map(\.exporter.health) { health.end(isNameTaken: names.contains(health.name)) }
    }

    /// All members in their order, those that stay and new ones. The name of one that goes is free again: what has been set right
    /// is called as it was.
    private func joined(
        _ origins: [Origin], _ kept: [Member?], before: [Member]
    ) throws -> (members: [Member], new: [Member]) {
        var (members, new): ([Member], [Member]) = ([], [])
        var names = Set(kept.compactMap { $0?.exporter.health.name })
        do {
            for (origin, known) in zip(origins, kept) {
                let member = try known ?? Member(origin: origin, exporter: exporter(origin, besides: names))
                names.insert(member.exporter.health.name)
                members.append(member)
                if known == nil { new.append(member) }
            }
        } catch {
            // Those that stay are told of by their names still.
            end(new, besides: before)
            for member in before { member.exporter.health.tellAgain() }
            throw error
        }
        return (members, new)
    }

    /// Ends them all, at the same time: within seconds.
    func finish() async {
        let exporters = state.withLock { exchange(&$0.members, with: []).map(\.exporter) }
        let tasks = exporters.map { exporter in Task(executorPreference: exporter.loop) { await exporter.finish() } }
        for task in tasks { await task.value }
    }

    // MARK: Members

    private func exporter(_ member: Origin, besides names: Set<String>) throws -> any TellingExporter {
        // The name is a label of metrics.
        let name = (1...).lazy.map { $0 == 1 ? member.name : "\(member.name)-\($0)" }.first { !names.contains($0) }
        switch member {
        case .hook(let settings):
            return HookRunner(
                settings, name: name ?? member.name, origin: origin, loop: try loop("netwatch-hooks"))
        case .webhook(let settings) where settings.format == .alertmanager:
            return try AlertWebhook(
                settings, name: name ?? member.name, origin: origin, loop: try loop("netwatch-tell")
            ) { [monitor] in monitor.current }
        case .webhook(let settings):
            return try Webhook(
                settings, name: name ?? member.name, origin: origin, history: history,
                loop: try loop("netwatch-tell"))
        }
    }

    /// Hooks have one loop together, and webhooks another: the start of a program may have to wait for a disk.
    private func loop(_ name: String) throws(EventLoopError) -> EventLoop {
        if let loop = loops.withLock({ $0[name] }) { return loop }
        let loop = try EventLoop(name: name)
        loop.schedule(after: .zero) { ThreadScheduling.goLast() }
        loops.withLock { $0[name] = loop }
        return loop
    }

    /// How many descriptors they have open at most: those of two loops, of a run of each hook while it begins, and of a
    /// connection and a look-up of each webhook.
    static func descriptors(_ service: ServiceConfiguration) -> Int {
        (service.hooks.isEmpty ? 0 : 3 + 4 * service.hooks.count)
            + (service.webhooks.isEmpty ? 0 : 3 + 3 * service.webhooks.count)
    }
}
