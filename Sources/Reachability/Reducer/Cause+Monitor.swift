extension Cause {
    /// The cause of a monitor's first update.
    static let start = Cause(kind: .start, description: "the monitor has started")

    /// The cause of an update after a sleep.
    static func resume(after slept: Duration) -> Cause {
        Cause(
            kind: .resume, description: "the host was asleep for \(slept.components.seconds) s",
            fields: ["asleep": "\(slept.components.seconds)"])
    }

    /// The cause of an update after messages were lost: which of them it was cannot be known.
    static let resync = Cause(kind: .resync, description: "messages were lost and the state was read anew")

    /// The cause of a change that the kernel sent no message about.
    static let unannounced = Cause(
        kind: .route, description: "the kernel answers otherwise, and has sent no message that says why")
}
