public import Netlink

/// Makes a monitor's updates again from its recording, with no kernel, no clock and no waiting.
public struct TraceReplayer: Sendable {
    private var reducer: PathReducer?

    public init() {}

    /// Takes the next record; returns the update that the monitor published at this point, if it did.
    ///
    /// Throws ``NetlinkError/noAnswer(request:)`` where the recording lacks an answer that the path depends on.
    public mutating func replay(_ record: TraceRecord) throws(NetlinkError) -> PathUpdate? {
        switch record.event {
        case .start(let question): reducer = PathReducer(question)
        case .others(let others): reducer?.others = others
        case .watching(let destinations): reducer?.watched = destinations
        case .snapshot(let snapshot, let cause): reducer?.replace(with: snapshot, because: cause)
        case .told(let notification): _ = reducer?.apply(notification, at: record.time)
        case .lost: reducer?.noteLoss()
        case .quiet: reducer?.noteQuiet()
        case .noted(let change): reducer?.note(change, at: record.time)
        case .surroundings(let surroundings): reducer?.surroundings = surroundings
        case .asleep(let slept): reducer?.noteSleep(slept)
        case .concluded(let exchanges): return try conclude(exchanges, record)
        }
        return nil
    }

    private mutating func conclude(
        _ exchanges: [TraceRecord.Exchange], _ record: TraceRecord
    ) throws(NetlinkError) -> PathUpdate? {
        guard let derived = try derive(RecordedOracle(exchanges, userID: reducer?.question.userID)) else { return nil }
        // For recordings that do not say so themselves.
        reducer?.watched = Set(exchanges.map(\.query.destination))
        return reducer?.conclude(derived.path, at: record.time)
    }

    /// Derives a path as thoroughly as it was: where that was not thoroughly, some answers are missing.
    private mutating func derive(_ oracle: RecordedOracle) throws(NetlinkError) -> DerivedPath? {
        do throws(NetlinkError) { return try reducer?.derive(oracle) } catch {
            oracle.isThorough = false
            return try reducer?.derive(oracle)
        }
    }
}

/// Answers what the kernel answered.
private final class RecordedOracle: RoutingOracle {
    private let answers: [RouteQuery: RouteAnswer]
    /// What older recordings do not ask about.
    private static let besides = ReferenceDestination.all.map(ReferenceDestination.beside)
    /// The user whose packets the path is about.
    private let userID: UInt32?
    var isThorough = true

    init(_ exchanges: [TraceRecord.Exchange], userID: UInt32?) {
        self.userID = userID
        answers = Dictionary(exchanges.map { ($0.query, $0.answer) }) { _, latest in latest }
    }

    func answer(_ query: RouteQuery) throws(NetlinkError) -> RouteAnswer {
        guard let answer = answers[query] ?? earlierAnswer(query) else {
            throw .noAnswer(request: "RTM_GETROUTE to \(query.destination), in the recording")
        }
        return answer
    }

    /// Older recordings ask about tunnels' own packets without their source, at least where no link has it, and as the
    /// user of all others. Nor do they ask beside the destinations that stand for the Internet, whose own answers count
    /// where there is no way beside them.
    private func earlierAnswer(_ query: RouteQuery) -> RouteAnswer? {
        if Self.besides.contains(query.destination) { return .noRoute }
        guard query.userID == 0 else { return nil }
        var earlier = query
        earlier.source = nil
        if let answer = answers[earlier] { return answer }
        earlier.userID = userID
        if let answer = answers[earlier] { return answer }
        earlier.userID = nil
        return answers[earlier]
    }
}
