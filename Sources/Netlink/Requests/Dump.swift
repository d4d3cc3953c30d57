/// All of one kind of thing that the kernel has.
public struct Dump<Value: Sendable>: Sendable {
    public var values: [Value]
    /// Whether the kernel's state went on changing under each of the tries (NLM_F_DUMP_INTR). The values are those of
    /// the last one: the best there is, but something may be missing or twice in them.
    public var wasInterrupted: Bool

    public init(values: [Value], wasInterrupted: Bool = false) {
        self.values = values
        self.wasInterrupted = wasInterrupted
    }
}

extension Dump: Equatable where Value: Equatable {}
