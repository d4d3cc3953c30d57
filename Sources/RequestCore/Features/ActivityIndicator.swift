public import EventLoop

/// Whether to show that something is under way: not for what is over within a moment, and not off and on between two
/// requests. It knows no clock: its owner gives the time, and comes back when it says.
public struct ActivityIndicator: Hashable, Sendable {
    /// How long something must be under way before it shows. AFNetworking's is 1 s.
    public var activationDelay: Duration = .seconds(1)
    /// How long nothing must be under way before it hides. AFNetworking's is 0.17 s.
    public var completionDelay: Duration = .milliseconds(170)
    /// How many activities are under way.
    public private(set) var count = 0
    private var state = State.off

    private enum State: Hashable {
        case off
        case waitingToShow(since: MonotonicTime)
        case on
        case waitingToHide(since: MonotonicTime)
    }

    public init() {}

    /// Whether it shows.
    public var isVisible: Bool {
        switch state {
        case .off, .waitingToShow: false
        case .on, .waitingToHide: true
        }
    }

    /// When to call `advance(to:)` if nothing happens before; nil where nothing is awaited.
    public var deadline: MonotonicTime? {
        switch state {
        case .off, .on: nil
        case .waitingToShow(let start): start.advanced(by: activationDelay)
        case .waitingToHide(let start): start.advanced(by: completionDelay)
        }
    }

    /// An activity begins.
    public mutating func begin(at now: MonotonicTime) {
        advance(to: now)
        count += 1
        switch state {
        case .off: state = .waitingToShow(since: now)
        case .waitingToHide: state = .on
        case .waitingToShow, .on: break
        }
    }

    /// An activity ends. One that never began does not count.
    public mutating func end(at now: MonotonicTime) {
        advance(to: now)
        guard count > 0 else { return }
        count -= 1
        guard count == 0 else { return }
        switch state {
        case .waitingToShow: state = .off
        case .on: state = .waitingToHide(since: now)
        case .off, .waitingToHide: break
        }
    }

    /// Time passes.
    public mutating func advance(to now: MonotonicTime) {
        guard let deadline, deadline <= now else { return }
        state = isVisible ? .off : .on
    }
}
