/// An event as the history keeps it.
package struct HistoryNote: Sendable {
    package var stamp: Stamp
    /// The event's number in its run.
    package var seq: UInt64
    /// Whether it is a change that people look for, which is on the disk as soon as the disk allows; else within a second.
    package var isTransition: Bool
    /// Whether it tells all: the statuses of all targets.
    package var isSnapshot: Bool
    /// What the connectivity as a whole is from then on.
    package var connectivity: PastStatus
    /// The targets that it names, with what they are from then on.
    package var targets: [(name: String, status: PastStatus)]
    /// What all others are from then on; nil where that is as before. A snapshot has no others.
    package var others: PastStatus?
    /// Its line of JSON, made on the writer's thread.
    package var line: @Sendable () -> [UInt8]

    package init(
        stamp: Stamp, seq: UInt64, isTransition: Bool, isSnapshot: Bool, connectivity: PastStatus,
        targets: [(name: String, status: PastStatus)], others: PastStatus?, line: @escaping @Sendable () -> [UInt8]
    ) {
        self.stamp = stamp
        self.seq = seq
        self.isTransition = isTransition
        self.isSnapshot = isSnapshot
        self.connectivity = connectivity
        self.targets = targets
        self.others = others
        self.line = line
    }
}
