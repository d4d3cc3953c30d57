internal import EventLoop
internal import Reachability

/// A link that is lost again and again, as with a bad plug: after a few times in half a minute the path stays lost, as was
/// told, until the link has stayed as it is for a while. Routes and addresses that are taken away are told each time: that is
/// done on purpose.
struct PathFlaps: Sendable {
    enum Decision {
        /// To be told; with the number of losses where it begins or ends a time of flapping.
        case tell(PathUpdate, losses: Int?)
        case hold
    }

    /// More losses than this in this time are flapping, which ends after a while without a change.
    private static let most = 3
    private static let window = Duration.seconds(30)
    private static let quiet = Duration.seconds(5)

    private var losses: [MonotonicTime] = []
    private var count = 0
    private var isReachable = false
    /// What holds in the place of what was told.
    private var held: PathUpdate?
    /// When flapping is over; nil where there is none.
    private(set) var release: MonotonicTime?

    mutating func decide(_ update: PathUpdate, at now: MonotonicTime) -> Decision {
        let wasReachable = isReachable
        isReachable = update.path.status.isReachable
        if wasReachable, !isReachable, [.link, .carrier].contains(update.cause.kind) { note(now) }
        guard release != nil else {
            guard losses.count > Self.most, !isReachable else { return .tell(update, losses: nil) }
            count = losses.count
            release = now.advanced(by: Self.quiet)
            return .tell(update, losses: count)
        }
        if isReachable != wasReachable { release = now.advanced(by: Self.quiet) }
        held = update
        return .hold
    }

    /// What is to be told once flapping is over.
    mutating func end(at now: MonotonicTime) -> (update: PathUpdate, losses: Int)? {
        guard let release, release <= now else { return nil }
        defer { (self.release, held, losses, count) = (nil, nil, [], 0) }
        return held.map { ($0, count) }
    }

    private mutating func note(_ now: MonotonicTime) {
        losses.removeAll { $0.advanced(by: Self.window) <= now }
        losses.append(now)
        if release != nil { count += 1 }
        if losses.count > 64 { losses.removeFirst() }
    }
}
