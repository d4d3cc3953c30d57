/// What a question has told of the server that was asked, whatever it has told of the name.
package enum ServerWord: Hashable, Sendable {
    /// It has answered, were it with an error, or has itself refused the port.
    case heard
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
    init(_ error: ResolverError, of channel: AresChannel) {
        self =
            switch error {
            case .nameNotFound, .noRecords, .serverFailed, .malformedAnswer: .heard
            case .timedOut: .silent
            case .unreachable: channel.failure ?? .told
            case .invalidName, .interfaceRefused, .noServers, .setup: .unsent
            case .cancelled: .void
            }
    }
}
