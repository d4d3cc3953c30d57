import Connectivity
import EventLoop
import FoundationEssentials
import History
import Netwatch
import RequestEngine
import Synchronization

/// Posts events to one address, in their order and at least once, one request after the other on a loop that is not the
/// watcher's.
actor Webhook: TellingExporter {
    nonisolated let health: ExportHealth
    private nonisolated let recent = Mutex(RecentEvents())
    private nonisolated let waiting: Mutex<WaitingEvents>
    /// Rung where something is to be told.
    private nonisolated let news: Bell
    /// Rung where the way is well again.
    private nonisolated let hurry: Bell
    nonisolated let loop: EventLoop
    private nonisolated let sender: WebhookSender
    /// Whether the connections that are kept may lead by a way that is gone.
    private nonisolated let isOtherWay = Mutex(false)
    private nonisolated let work = Mutex<Task<Void, Never>?>(nil)
    private let place: String
    private let origin: EventOrigin
    private let mark: DeliveryMark?
    private var events: UndeliveredEvents
    private var pace = DeliveryPace()
    /// Up to where everything was told.
    private var delivered: EventCursor
    /// Whether an earlier run, or an earlier part of this one, has told how far it was.
    private let isKnown: Bool
    /// Since when the history cannot be read.
    private var unreadableSince: MonotonicTime?
    /// Up to where the log says what is missing.
    private var toldMissing = EventCursor(run: 0, seq: 0)
    private var isSending = false
    private var isEnding = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - name: What the log and the metrics call it.
    ///   - history: Where the events are that are not in memory; nil where none is kept.
    ///   - loop: Where requests are made: not the watcher's.
    ///   - tell: Takes a line for the log.
    init(
        _ settings: WebhookSettings, name: String, origin: EventOrigin, history: History?,
        loop: EventLoop, tell: @escaping @Sendable (String) -> Void = { StandardStreams.tell($0) }
    ) throws(RequestError) {
        health = ExportHealth(name, tell: tell)
        news = Bell(loop: loop)
        hurry = Bell(loop: loop)
        sender = try WebhookSender(settings, loop: loop)
        self.loop = loop
        self.origin = origin
        place = settings.url.place
        mark = history.map { DeliveryMark(of: settings.url.absoluteString, in: $0) }
        events = UndeliveredEvents(origin: origin, history: history, filter: settings.filter)
        // One that is known of no run begins with this one.
        let known = mark?.place.flatMap { $0.run <= origin.epoch ? $0 : nil }
        let delivered = known ?? EventCursor(run: origin.epoch, seq: 0)
        self.delivered = delivered
        waiting = Mutex(WaitingEvents(run: origin.epoch, delivered: delivered))
        isKnown = known != nil
    }

    nonisolated func start(after event: Event?) {
        let new = Task(executorPreference: loop) { await self.deliverAll(after: event) }
        work.withLock { $0 = new }
    }

    nonisolated func take(_ event: Event) {
        recent.withLock { _ = $0.append(event) }
        count { $0.last = max($0.last, event.seq) }
        if Self.isWayWell(event) {
            isOtherWay.withLock { $0 = true }
            hurry.ring()
        }
        news.ring()
    }

    /// Whether it tells that the way to the Internet has become whole; where nothing is probed, that there is one.
    private static func isWayWell(_ event: Event) -> Bool {
        guard event.kind == .transition else { return false }
        if event.connectivity == .full { return event.from?.connectivity != .full }
        return event.connectivity == .unknown && event.reachability.isReachable
            && event.from?.reachability.isReachable != true
    }

    /// What is not delivered yet is delivered by the next run, where there is a history.
    func finish() async {
        let task = work.withLock { $0.take() }
        isEnding = true
        // What is under way may have been taken, and would be sent once more by the next run.
        if isSending { loop.schedule(after: Self.farewell) { task?.cancel() } } else { task?.cancel() }
        await task?.value
        let left = waiting.withLock { $0.count }
        guard mark == nil, left > 0 else { return }
        health.dropped(left, because: "\(left) events are given up: it ends, or has another configuration")
    }

    // MARK: Delivery

    private func deliverAll(after event: Event?) async {
        if let event {
            // One that is new begins with the state as it is, which this event tells.
            let before = EventCursor(run: origin.epoch, seq: event.seq - min(event.seq, 1))
            let isNew = !isKnown && note(before)
            if isNew {
                delivered = before
                recent.withLock { $0.begin(with: event) }
            }
            events.begin(after: isNew ? before.seq : event.seq)
            count { $0.last = max($0.last, event.seq) }
        }
        note(delivered)
        count { [delivered] in $0.delivered = delivered }
        while !Task.isCancelled, !isEnding {
            goBack()
            switch await next() {
            case .success(nil): await news.wait()
            case .success(let next?): await deliver(next)
            case .failure(let error): await goWithout(error)
            }
        }
    }

    /// Goes on where an earlier run was, as long as nothing of this one was delivered: a history that is there only
    /// after the start may know that.
    private func goBack() {
        guard delivered == EventCursor(run: origin.epoch, seq: 0), let known = mark?.place, known < delivered else {
            return
        }
        delivered = known
        count { $0.delivered = known }
    }

    /// Notes up to where everything was told, or goes back to where an earlier run was.
    ///
    /// - Returns: Whether it is noted.
    @discardableResult
    private func note(_ place: EventCursor) -> Bool {
        guard mark?.put(place, after: delivered) == false else { return true }
        goBack()
        return false
    }

    /// The history cannot be read, which may pass; what is in memory does not wait for it for long.
    private func goWithout(_ error: any Error) async {
        let since = unreadableSince ?? .now
        unreadableSince = since
        if since.duration(to: .now) > Self.patience {
            let gap = events.withoutHistory(after: delivered) { seq in self.recent.withLock { $0.event(after: seq) } }
            if let gap { return await deliver(gap) }
        }
        await again(pace.take(.failure("the history cannot be read: \(DisplayText.safe("\(error)"))")))
    }

    private func next() async -> Result<UndeliveredEvents.Next?, any Error> {
        // A copy, because the way to the history leads over other threads.
        var events = events
        do {
            let next = try await events.next(after: delivered) { seq in self.recent.withLock { $0.event(after: seq) } }
            self.events = events
            unreadableSince = nil
            count { [earlier = events.earlier] in $0.earlier = earlier }
            return .success(next)
        } catch {
            return .failure(error)
        }
    }

    private func deliver(_ next: UndeliveredEvents.Next) async {
        switch next {
        case .event(_, false, let place): went(to: place)
        case .event(let line, true, let place): await post(line, id: "\(place)", upTo: place)
        case .gap(let first, let last, let count):
            tellOfGap(first, last, count)
            await post(origin.gap(after: "\(first)", upTo: "\(last)"), id: "gap-\(first)-\(last)", upTo: last)
        }
    }

    /// Once, however often it is tried to deliver it.
    private func tellOfGap(_ first: EventCursor, _ last: EventCursor, _ number: Int) {
        guard last > toldMissing else { return }
        toldMissing = last
        health.dropped(number, because: "\(number) events after \(first) up to \(last) are given up: it hears of a gap")
    }

    private nonisolated func count(_ change: (inout WaitingEvents) -> Void) {
        let count = waiting.withLock { waiting in
            change(&waiting)
            return waiting.count
        }
        health.queued(count)
    }

    private func post(_ line: [UInt8], id: String, upTo place: EventCursor) async {
        let body = line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...]
        hurry.silence()
        if isOtherWay.withLock({ exchange(&$0, with: false) }) { sender.forgetConnections() }
        isSending = true
        let answer = await sender.send(Array(body), id: id)
        isSending = false
        guard !Task.isCancelled else { return }
        let step = pace.take(answer)
        switch step {
        case .delivered:
            health.succeeded("\(self.place) takes what is sent")
            health.sent()
            went(to: place)
        case .refused(let status):
            health.failed("\(self.place) answers \(status)")
            health.dropped(because: "\(id) is given up: \(self.place) answers \(status)")
            went(to: place)
        case .again: await again(step)
        }
    }

    private func again(_ step: DeliveryPace.Step) async {
        guard case .again(let delay, let isAsked, let words) = step else { return }
        health.failed("\(place): \(words)")
        guard !isEnding else { return }
        if await hurry.pause(delay, isFixed: isAsked) { pace.hurry() }
    }

    private func went(to place: EventCursor) {
        // It comes once more, after what an earlier run has left.
        guard note(place) else { return }
        delivered = place
        count { $0.delivered = place }
        if place.run == origin.epoch { recent.withLock { $0.remove(upTo: place.seq) } }
    }

    /// How long a request that is under way may go on once the service ends.
    private static let farewell = Duration.seconds(2)
    /// What cannot be read for so long is told as a gap.
    private static let patience = Duration.seconds(10)
}
