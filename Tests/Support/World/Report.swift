internal import EventLoop
internal import Evidence

/// What one run came to.
package struct Report: Sendable {
    package internal(set) var lies: [String] = []
    /// Events since the cause, and since the start.
    package internal(set) var events = 0
    package internal(set) var allEvents = 0
    package internal(set) var probes = 0
    package internal(set) var touches = 0
    package internal(set) var names = 0
    package internal(set) var bytes = 0
    package internal(set) var isWrong = false
    var causeAt: MonotonicTime?
    var hasCause = false
    var rightAt: MonotonicTime?

    /// From the latest change of the world to when all that was said was right and stayed so; nil where it did not.
    package var seconds: Double? {
        guard !isWrong, let causeAt, let rightAt, rightAt >= causeAt else { return nil }
        return Double(rightAt.nanoseconds - causeAt.nanoseconds) / 1e9
    }

    mutating func end(isRight: Bool) { isWrong = !isRight }

    /// Counts what is sent, with the bytes on the wire that each kind takes.
    mutating func count(_ ask: Ask, of world: World) {
        switch ask.question {
        case .probe(let target, _):
            probes += 1
            bytes += world.watched[target].transport == .secure ? 6000 : 900
        case .touch:
            touches += 1
            bytes += 224
        case .name:
            names += 1
            bytes += 170
        }
    }
}
