import EventLoop
import Synchronization

/// Tells the service's manager when the service has started, which is once it knows a state and listens wherever it is to, and
/// from then on what the state is. What waits for the unit may ask the service at once.
///
/// All methods may be called from any thread.
final class StartNotice: Sendable {
    private let manager: ServiceManager
    private let loop: EventLoop
    private let state: Mutex<State>

    private struct State {
        /// How many endpoints do not listen yet.
        var missing: Int
        /// The latest state in words; nil before the first.
        var status: String?
        var isReady = false
    }

    /// - Parameter endpoints: How many are going to listen.
    init?(_ manager: ServiceManager?, endpoints: Int, loop: EventLoop) {
        guard let manager else { return nil }
        self.manager = manager
        self.loop = loop
        state = Mutex(State(missing: endpoints))
    }

    /// One more endpoint listens.
    func listens() {
        state.withLock { state in
            state.missing -= 1
            tell(&state)
        }
    }

    /// The state is what these words say.
    func tell(_ status: String) {
        state.withLock { state in
            state.status = status
            tell(&state)
        }
    }

    private func tell(_ state: inout State) {
        guard state.missing <= 0, let status = state.status else { return }
        if state.isReady { manager.tell(status) } else { manager.ready(status, on: loop) }
        state.isReady = true
    }
}
