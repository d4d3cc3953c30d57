import Synchronization

/// Which clients the HTTP server answers. They can be changed while it runs.
package final class AccessRules: Sendable {
    private struct State {
        var hostCheck: HostCheck
        var token: AccessToken?
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - hosts: Names that this host is asked by, beside its own.
    ///   - token: What a request over TCP has to carry; nil for nothing.
    package init(hosts: [String] = [], token: AccessToken? = nil) {
        state = Mutex(State(hostCheck: Self.check(hosts), token: token))
    }

    package func change(hosts: [String], token: AccessToken?) {
        state.withLock { $0 = State(hostCheck: Self.check(hosts), token: token) }
    }

    var hostCheck: HostCheck { state.withLock { $0.hostCheck } }
    var token: AccessToken? { state.withLock { $0.token } }

    private static func check(_ hosts: [String]) -> HostCheck {
        HostCheck(names: [StandardStreams.hostName] + hosts)
    }
}
