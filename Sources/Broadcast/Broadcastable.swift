/// What can be handed out to readers that may be slow.
@usableFromInline
package protocol Broadcastable: Sendable {
    /// One value in the place of several that a reader has not taken, in the order in which they came; never of none.
    static func standing(for values: [Self]) -> Self

    /// Its number where a mailbox may be given it twice; nil where each is put in once.
    var number: UInt64? { get }
}
