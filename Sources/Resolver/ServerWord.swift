import EventLoop

/// What a question has told of the server that was asked, whatever it has told of the name.
package enum ServerWord: Hashable, Sendable {
    /// It has answered, were it with an error or that it is to be asked by TCP, or has itself refused the port.
    case heard
    /// It has refused, or ended, a connection; or a filter of this host's own has in its name.
    case refused
    /// A router or this kernel has said that it cannot be reached.
    case told
    /// Nothing came in time.
    case silent
    /// This host could not send the question.
    case unsent
    /// This host has no route to it.
    case noRoute
    /// It was given up.
    case void
}

extension ServerWord {
    /// - Parameter heardAt: When the server was last heard beside its answers, since it was asked.
    init(_ error: ResolverError, of channel: AresChannel, heardAt: MonotonicTime?) {
        self =
            switch error {
            case .nameNotFound, .noRecords, .serverFailed, .malformedAnswer: .heard
            case .timedOut: heardAt == nil ? .silent : .heard
            // What this host could not send after that is its own want all the same.
            case .unreachable where channel.failure == .unsent: .unsent
            case .unreachable: heardAt == nil ? channel.failure ?? .told : .heard
            case .invalidName, .interfaceRefused, .noServers, .setup: .unsent
            case .cancelled: .void
            }
    }
}
