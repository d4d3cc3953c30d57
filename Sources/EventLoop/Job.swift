/// A Swift job that waits for its turn on a loop.
struct Job: Sendable {
    let job: UnownedJob
    /// Whether it has come because its task prefers the loop, not because an actor runs there.
    let isOfPreference: Bool

    init(_ job: UnownedJob, ofPreference isOfPreference: Bool) {
        self.job = job
        self.isOfPreference = isOfPreference
    }
}
