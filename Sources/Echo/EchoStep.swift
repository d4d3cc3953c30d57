/// What happens to an echo request before its end is told.
package enum EchoStep: Hashable, Sendable {
    /// It has left.
    case sent
    /// The host itself has sent it back with an error.
    case returned
}
