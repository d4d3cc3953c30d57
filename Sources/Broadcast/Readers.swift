/// Who reads, in the order in which they came; guarded by its owner's lock. A mailbox that its reader has let go is gone.
package struct Readers<Value: Broadcastable>: Sendable {
    private struct Reader {
        weak var mailbox: Mailbox<Value>?
    }

    private var readers: [Reader] = []

    package init() {}

    package mutating func add(_ mailbox: Mailbox<Value>) {
        readers.removeAll { $0.mailbox == nil }
        readers.append(Reader(mailbox: mailbox))
    }

    /// To be put values in, or to be ended.
    package var mailboxes: [Mailbox<Value>] { readers.isEmpty ? [] : readers.compactMap(\.mailbox) }

    /// Takes all out, to be ended.
    package mutating func removeAll() -> [Mailbox<Value>] {
        defer { readers = [] }
        return mailboxes
    }
}
