public import EventLoop
public import RequestEngine
import Synchronization

/// Tells when to show that requests are under way, after ``ActivityIndicator``'s delays: once on and once off however
/// many there are. Give it to a session's `monitors`.
public final class ActivityMonitor: EventMonitor {
    private struct State {
        var indicator: ActivityIndicator
        var running: Set<TaskID> = []
    }

    private let loop: EventLoop
    private let state: Mutex<State>
    private let onChange: @Sendable (_ isVisible: Bool) -> Void

    /// - Parameters:
    ///   - loop: The loop of the session, whose timers are used.
    ///   - indicator: What decides, with its delays.
    ///   - onChange: Called on the loop's thread, once per change.
    public init(
        loop: EventLoop, indicator: ActivityIndicator = ActivityIndicator(),
        onChange: @escaping @Sendable (_ isVisible: Bool) -> Void
    ) {
        self.loop = loop
        state = Mutex(State(indicator: indicator))
        self.onChange = onChange
    }

    /// How many tasks are under way and not suspended.
    public var count: Int { state.withLock { $0.indicator.count } }

    public func observe(_ event: TaskEvent) {
        switch event.kind {
        case .resumed: update { if $0.running.insert(event.task).inserted { $0.indicator.begin(at: $1) } }
        case .suspended, .completed: update { if $0.running.remove(event.task) != nil { $0.indicator.end(at: $1) } }
        default: break
        }
    }

    private func update(_ change: (inout State, MonotonicTime) -> Void) {
        let (wasVisible, isVisible, deadline) = state.withLock { state in
            let wasVisible = state.indicator.isVisible
            change(&state, .now)
            return (wasVisible, state.indicator.isVisible, state.indicator.deadline)
        }
        if isVisible != wasVisible { onChange(isVisible) }
        // A timer that comes too late for its own deadline finds nothing to do.
        guard let deadline else { return }
        loop.schedule(at: deadline) { [weak self] in self?.update { $0.indicator.advance(to: $1) } }
    }
}
