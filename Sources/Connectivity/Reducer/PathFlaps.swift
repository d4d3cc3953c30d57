internal import EventLoop
internal import NetworkAddress
internal import Reachability

/// A link that is lost again and again, as with a bad plug: after a few times in half a minute the path stays as it is without
/// it, until the link has stayed as it is for a while. Routes and addresses that are taken away are told each time: that is
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

    private var losses: [(link: String, time: MonotonicTime)] = []
    /// The link that flaps, and how often it was lost.
    private var flapping: (link: String, count: Int)?
    /// The path that came last, and the last of those that were told.
    private var (last, told): (Path?, Path?)
    /// What holds in the place of what was told.
    private var held: PathUpdate?
    /// When flapping is over; nil where there is none.
    private(set) var release: MonotonicTime?

    mutating func decide(_ update: PathUpdate, at now: MonotonicTime) -> Decision {
        // A host that slept has all to learn anew.
        if update.cause.kind == .resume { (release, held, flapping, losses) = (nil, nil, nil, []) }
        let before = last
        last = update.path
        let lost = Self.link(lostBy: update, since: before)
        if let lost { note(lost, now) }
        guard let link = flapping?.link else {
            guard let lost, case let count = losses.count(where: { $0.link == lost }), count > Self.most else {
                return tell(update)
            }
            (flapping, release) = ((lost, count), now.advanced(by: Self.quiet))
            return tell(update, losses: count)
        }
        if before.map({ Self.uses(link, $0) }) != Self.uses(link, update.path) {
            release = now.advanced(by: Self.quiet)
        }
        guard let told, Self.stands(told, in: update.path, without: link) else { return tell(update) }
        held = update
        return .hold
    }

    /// What is to be told once flapping is over.
    mutating func end(at now: MonotonicTime) -> (update: PathUpdate, losses: Int)? {
        guard let release, release <= now else { return nil }
        defer { (self.release, held, losses, flapping) = (nil, nil, [], nil) }
        guard let held, let flapping else { return nil }
        told = held.path
        return (held, flapping.count)
    }

    private mutating func tell(_ update: PathUpdate, losses: Int? = nil) -> Decision {
        (told, held) = (update.path, nil)
        return .tell(update, losses: losses)
    }

    private mutating func note(_ link: String, _ now: MonotonicTime) {
        losses.removeAll { $0.time.advanced(by: Self.window) <= now }
        losses.append((link, now))
        if flapping?.link == link { flapping?.count += 1 }
        if losses.count > 64 { losses.removeFirst() }
    }

    /// The link that traffic has left by, and does no more since its own state has changed.
    private static func link(lostBy update: PathUpdate, since before: Path?) -> String? {
        guard [.link, .carrier].contains(update.cause.kind), let before else { return nil }
        return before.interfacesInUse.first { link in
            !uses(link, update.path)
                && update.cause.interface.map { $0 == link || runs(link, over: $0, before) } ?? true
        }
    }

    private static func runs(_ link: String, over other: String, _ path: Path) -> Bool {
        AddressFamily.allCases.contains { path[$0].interface == link && path[$0].via.contains(other) }
    }

    private static func uses(_ link: String, _ path: Path) -> Bool {
        AddressFamily.allCases.contains { family in
            path[family].isUsable && (path[family].interface == link || path[family].via.contains(link))
        }
    }

    /// What other interfaces could carry traffic out, in which family.
    private static func usableOthers(_ path: Path, than link: String) -> [String: [Bool]] {
        let others = path.interfaces.filter { $0.name != link && !$0.via.contains(link) }
        return Dictionary(others.map { ($0.name, [$0.ipv4.isUsable, $0.ipv6.isUsable]) }) { first, _ in first }
    }

    /// Whether what a path tells is true of another but for a link that comes and goes.
    private static func stands(_ told: Path, in path: Path, without link: String) -> Bool {
        let usesLink = uses(link, path)
        guard told.status.isReachable else { return !path.status.isReachable || usesLink }
        guard usableOthers(told, than: link) == usableOthers(path, than: link) else { return false }
        // Name servers come and go with the link: those that it brings are no news.
        if path.status.isReachable, !usesLink {
            return told.ipv4 == path.ipv4 && told.ipv6 == path.ipv6 && told.nameServers == path.nameServers
        }
        // For a moment the kernel's best route is that of the link that is lost.
        return AddressFamily.allCases.allSatisfy { family in
            guard told[family].isUsable, let name = told[family].interface else { return true }
            return path.interface(named: name)?[family].isUsable == true
        }
    }
}
