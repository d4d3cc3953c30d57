package import Connectivity
package import EventLoop
package import Netlink
internal import Reachability

/// Makes a monitor's events again from its recording, with no kernel, no clock, no probe and no waiting.
///
/// Both layers are replayed, and held against each other: each path that the reducer took has to be the one that follows
/// from what the kernel said.
package struct MonitorReplayer: Sendable {
    private var reducer: ConnectivityReducer
    private var paths = TraceReplayer()
    /// The path that has followed from the kernel's words and that the reducer has not taken yet.
    private var derived: PathUpdate?
    private var hasPath = false
    private var time = MonotonicTime(nanoseconds: 0)

    /// No clock that runs for a hundred years gets there, and no run that tells a million events a second: what would be
    /// reckoned with more has been damaged.
    private static let mostNanoseconds: UInt64 = 1 << 62
    private static let mostEvents: UInt64 = 1 << 62
    private static let longestWait = Duration.seconds(86_400)
    private static let longestSleep = Duration.seconds(100 * 366 * 86_400)

    /// - Throws: ``ReplayError/configuration(_:)`` where nothing can be watched by the recorded configuration.
    package init(_ start: MonitorRecord.Start) throws(ReplayError) {
        try Self.validate(start.configuration)
        guard start.lastSequence < Self.mostEvents else {
            throw .value("no run has told \(start.lastSequence) events")
        }
        reducer = ConnectivityReducer(
            configuration: start.configuration, seed: start.seed, lastSequence: start.lastSequence)
    }

    /// Takes the next record; returns the event that the monitor published at this point, if it did.
    package mutating func replay(_ record: MonitorRecord) throws(ReplayError) -> Event? {
        switch record.content {
        case .start(let start):
            self = try MonitorReplayer(start)
            return nil
        case .path(let record):
            try derive(record)
            return nil
        case .input(let input, let now):
            return try reduce(input, at: now)
        }
    }

    private mutating func derive(_ record: TraceRecord) throws(ReplayError) {
        if case .asleep(let time) = record.event, !(.zero...Self.longestSleep).contains(time) {
            throw .value("no host was asleep for so long")
        }
        let update: PathUpdate?
        do throws(NetlinkError) { update = try paths.replay(record) } catch { throw .kernel(error) }
        guard let update else { return }
        guard derived == nil else { throw .path("one that follows from the kernel's words is missing") }
        derived = update
    }

    private mutating func reduce(_ input: ConnectivityReducer.Input, at now: Instant) throws(ReplayError) -> Event? {
        guard now.monotonic.nanoseconds < Self.mostNanoseconds else {
            throw .value("no clock shows \(now.monotonic.nanoseconds) ns")
        }
        guard now.monotonic >= time else { throw .time(now.monotonic, before: time) }
        time = now.monotonic
        switch input {
        case .path(let update): try take(update)
        case .configuration(let configuration): try Self.validate(configuration)
        case .report(.heard(_, let host, let wait)) where !(.zero...Self.longestWait).contains(wait):
            throw .value("\(host) cannot have been heard so long after it was asked")
        case .ended, .report, .timer, .request, .portalAdvertised, .portalAnswered, .traffic: break
        }
        return reducer.reduce(input, at: now).event
    }

    private mutating func take(_ update: PathUpdate) throws(ReplayError) {
        // A start on a path that was known before brings no update of the path layer.
        guard derived == update || (derived == nil && !hasPath && update.cause.kind == .start) else {
            throw .path("it is not the one that follows from the kernel's words")
        }
        hasPath = true
        derived = nil
    }

    private static func validate(_ configuration: ConnectivityConfiguration) throws(ReplayError) {
        do throws(ConnectivityError) { try configuration.validate() } catch { throw .configuration(error) }
    }
}

/// Why a recording cannot be replayed.
package enum ReplayError: Error, Sendable {
    /// The recorded configuration is no good.
    case configuration(ConnectivityError)
    /// An answer of the kernel's is missing.
    case kernel(NetlinkError)
    /// The two layers do not fit together.
    case path(String)
    /// A value that nothing can have had.
    case value(String)
    /// A time is earlier than the one before it.
    case time(MonotonicTime, before: MonotonicTime)
}

extension ReplayError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .configuration(let error): "\(error)"
        case .kernel(let error): "\(error)"
        case .path(let problem): "the path does not fit: \(problem)"
        case .value(let problem): problem
        case .time(let time, let last):
            "the time runs backwards: \(time.nanoseconds) ns after \(last.nanoseconds) ns"
        }
    }
}
