import NetworkAddress

/// What one answer of the kernel comes to.
struct Judgement: Hashable {
    var path: FamilyPath
    /// Whether the kernel was seen in the middle of a change: it told that a link went down or an address went away, and
    /// has not taken the routes with it yet. Such an answer is not to be believed; it settles within microseconds.
    var isTransient = false

    /// Where the packets were to go.
    var destination: IPAddress?

    static func unusable(_ reason: PathReason) -> Judgement {
        Judgement(path: FamilyPath(isUsable: false, reason: reason))
    }
}
