/// The subscribers of one publisher, in the order in which they came; guarded by its owner's lock. A mailbox that its reader has
/// let go is gone.
///
/// Inlinable, as ``Mailbox`` is: without a copy for its type each change would look up generic metadata for 50,000 instructions,
/// a fifth of all that lies between the kernel's message and the line. The compiler makes one only of a type that is itself marked
/// as usable from there.
@usableFromInline
package struct Readers<Value: Broadcastable>: Sendable {
    @usableFromInline
    struct Reader: Sendable {
        @usableFromInline weak var mailbox: Mailbox<Value>?

        @inlinable
        init(mailbox: Mailbox<Value>) {
            self.mailbox = mailbox
        }
    }

    @usableFromInline var readers: [Reader] = []

    @inlinable
    package init() {}

    @inlinable
    package mutating func add(_ mailbox: Mailbox<Value>) {
        readers.removeAll { $0.mailbox == nil }
        readers.append(Reader(mailbox: mailbox))
    }

    @inlinable package var isEmpty: Bool { readers.isEmpty }

    /// To be put values in, or to be ended.
    @inlinable package var mailboxes: [Mailbox<Value>] { readers.isEmpty ? [] : readers.compactMap { $0.mailbox } }

    /// Takes all out, to be ended.
    @inlinable
    package mutating func removeAll() -> [Mailbox<Value>] {
        defer { readers = [] }
        return mailboxes
    }
}
