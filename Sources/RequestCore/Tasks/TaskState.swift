/// Where a task is in its life.
public enum TaskState: String, Hashable, Sendable, CaseIterable {
    /// Not started, or held still.
    case suspended
    case running
    /// Cancelled, and not yet over.
    case canceling
    case completed
}

/// What a task is for.
public enum TaskKind: String, Hashable, Sendable, CaseIterable {
    case data
    case upload
    case download
}
