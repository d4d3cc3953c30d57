internal import Broadcast
internal import Connectivity
internal import EventLoop
internal import Reachability
internal import Synchronization

/// The state of a monitor and those that listen to it: the border between its loop and all other threads.
final class EventHub: Sendable {
    private static let capacity = 64
    /// How often a state is put together anew that an event has made old meanwhile, before the events have to wait.
    private static let mostAttempts = 3

    private struct State {
        var reducer: ConnectivityReducer
        var loop: EventLoop?
        var readers = Readers<SharedEvent>()
        /// Those of them that are told the end of each probe, too.
        var resultReaders = Readers<SharedEvent>()
        /// In the order in which they came.
        var callbacks: [(id: UInt64, delivery: CallbackDelivery)] = []
        var waiters: [UInt64: Waiter] = [:]
        var results: [UInt64: AsyncStream<ProbeResult>.Continuation] = [:]
        /// Told of each result, with the lock held: it only counts.
        var counter: (@Sendable (ProbeResult) -> Void)?
        var lastID: UInt64 = 0
        var statistics = ConnectivityStatistics()
        /// Whether there was a run and none has begun since.
        var isStopped = false
        /// Whether there will be no further start.
        var isOver = false

        var hasStarted: Bool { loop != nil && reducer.published != nil }

        /// Tells the end of a probe to the readers that asked for results.
        ///
        /// - Returns: What resumes those of them that waited, without the lock.
        func tell(
            _ result: ProbeResult, among company: Int, after last: SharedEvent?, at now: Instant
        ) -> [@Sendable () -> Void] {
            counter?(result)
            let streams = results.values.map { stream in { @Sendable in _ = stream.yield(result) } }
            guard !resultReaders.isEmpty, let last else { return streams }
            let event = SharedEvent(last.event.result(result, at: now))
            return streams + resultReaders.mailboxes.compactMap { $0.enter(event, among: company) }
        }

        /// The readers for which there is something in what has followed from an input.
        func mailboxes(for output: ConnectivityReducer.Output) -> [Mailbox<SharedEvent>] {
            if output.told != nil { return readers.mailboxes }
            return output.results.isEmpty || resultReaders.isEmpty ? [] : resultReaders.mailboxes
        }

        /// Takes out the waiters whose state has come, and the event with them: they are resumed without the lock.
        mutating func takeMetWaiters() -> MetWaiters? {
            guard !waiters.isEmpty, hasStarted else { return nil }
            let met = waiters.filter { reducer.meets($0.value.condition) }
            guard !met.isEmpty else { return nil }
            for id in met.keys { waiters[id] = nil }
            return MetWaiters(waiters: Array(met.values), standing: reducer.standing(at: .now))
        }
    }

    private struct MetWaiters: Sendable {
        let waiters: [Waiter]
        let standing: Standing

        func end() {
            let event = standing.event
            for waiter in waiters { waiter.resume(event) }
        }
    }

    private let state: Mutex<State>
    private let pathMonitor = Mutex<PathMonitor?>(nil)

    init(configuration: ConnectivityConfiguration) {
        state = Mutex(State(reducer: ConnectivityReducer(configuration: configuration, seed: 0)))
    }

    // MARK: The loop's side

    /// Begins a run. Events go on to be counted from where the last run ended.
    ///
    /// - Returns: What the run begins with.
    func start(_ configuration: ConnectivityConfiguration, seed: UInt64, loop: EventLoop) -> MonitorRecord.Start {
        state.withLock { state in
            let last = state.reducer.lastSequence
            state.reducer = ConnectivityReducer(configuration: configuration, seed: seed, lastSequence: last)
            state.loop = loop
            state.isStopped = false
            return MonitorRecord.Start(configuration: configuration, seed: seed, lastSequence: last)
        }
    }

    /// Takes an input in and hands out the event it leads to.
    func reduce(_ input: ConnectivityReducer.Input, at now: Instant) -> ConnectivityReducer.Output {
        let (output, news) = state.withLock { state in
            // A monitor that was let go, on another thread, tells nothing more.
            guard state.loop != nil else { return (ConnectivityReducer.Output(), News()) }
            let last = state.reducer.published
            let output = state.reducer.reduce(input, at: now)
            state.statistics.count(output)
            var news = News(met: state.takeMetWaiters())
            for result in output.results {
                news.resumptions += state.tell(result, among: output.company, after: last, at: now)
            }
            news.mailboxes = state.mailboxes(for: output)
            guard let event = output.told else { return (output, news) }
            news.resumptions += news.mailboxes.compactMap { $0.enter(event, among: output.company) }
            news.callbacks = state.callbacks.map { $0.delivery }
            return (output, news)
        }
        news.tell(output)
        return output
    }

    /// What follows from an input for those that listen, to be told once no lock is held: a reader's own executor may do
    /// anything, and a callback anyhow.
    private struct News: Sendable {
        var mailboxes: [Mailbox<SharedEvent>] = []
        /// Of the readers that waited.
        var resumptions: [@Sendable () -> Void] = []
        var callbacks: [CallbackDelivery] = []
        var met: MetWaiters?

        func tell(_ output: ConnectivityReducer.Output) {
            for resume in resumptions { resume() }
            for mailbox in mailboxes { mailbox.announce() }
            met?.end()
            guard let event = output.told else { return }
            for callback in callbacks { callback.deliver(event) }
        }
    }

    /// Writes down for each target what was told in one word.
    func catchUp() { state.withLock { $0.reducer.catchUp() } }

    /// Whether the host's connections are to be looked at before an input is taken in.
    func wantsTraffic(before input: ConnectivityReducer.Input, at now: MonotonicTime) -> Bool {
        state.withLock { $0.reducer.wantsTraffic(before: input, at: now) }
    }

    /// The path that the reducer knows.
    var path: Path { state.withLock { $0.reducer.path } }

    /// Ends a run: the readers' sequences end, callbacks wait for another run.
    ///
    /// - Parameter keepsReaders: Whether they wait, too, as after a run that has never begun. Those that have come meanwhile
    ///   are told the state as it is.
    func stop(keepsReaders: Bool = false) {
        pathMonitor.withLock { $0 = nil }
        let (mailboxes, results, callbacks) = state.withLock {
            state -> ([Mailbox<SharedEvent>], [UInt64: AsyncStream<ProbeResult>.Continuation], [CallbackDelivery]) in
            state.loop = nil
            state.reducer = ConnectivityReducer(
                configuration: state.reducer.configuration, seed: 0, lastSequence: state.reducer.lastSequence)
            let callbacks = state.callbacks.map { $0.delivery }
            guard !keepsReaders else { return (state.readers.mailboxes, [:], callbacks) }
            state.isStopped = true
            _ = state.resultReaders.removeAll()
            defer { state.results = [:] }
            return (state.readers.removeAll(), state.results, callbacks)
        }
        for callback in callbacks { callback.forget() }
        if keepsReaders { tellState(to: mailboxes) } else { mailboxes.forEach { $0.finish() } }
        results.values.forEach { $0.finish() }
    }

    private func tellState(to mailboxes: [Mailbox<SharedEvent>]) {
        guard !mailboxes.isEmpty else { return }
        let now = SharedEvent(snapshot)
        for mailbox in mailboxes {
            mailbox.put(now)
            mailbox.announce()
        }
    }

    /// Notes what watches the path in this run, for questions about its work.
    func use(_ monitor: PathMonitor) {
        pathMonitor.withLock { $0 = monitor }
    }

    // MARK: The side of other threads

    /// What the kernel was asked and has told in this run; nil between runs.
    var pathStatistics: MonitorStatistics? { pathMonitor.withLock { $0 }?.statistics }

    var listeningState: ListeningState { pathMonitor.withLock { $0 }?.listeningState ?? ListeningState() }

    /// The state as it is. The loop is not held up while it is put together.
    var snapshot: Event { state.withLock { $0.reducer.standing(at: .now) }.event }

    /// Calls with the lock held, and with the state as it is then, which was put together without.
    private func withSnapshot<Result: Sendable>(_ body: (inout sending State, Event) -> sending Result) -> Result {
        for _ in 0..<Self.mostAttempts {
            let (standing, hadStarted) = state.withLock { ($0.reducer.standing(at: .now), $0.hasStarted) }
            let event = standing.event
            let result = state.withLock { state in
                state.reducer.lastSequence == event.seq && state.hasStarted == hadStarted ? body(&state, event) : nil
            }
            if let result { return result }
        }
        return state.withLock { body(&$0, $0.reducer.snapshot(at: .now)) }
    }

    var statistics: ConnectivityStatistics { state.withLock { $0.statistics } }

    /// What is watched and probed now.
    var configuration: ConnectivityConfiguration { state.withLock { $0.reducer.configuration } }

    func count(results counter: @escaping @Sendable (ProbeResult) -> Void) {
        state.withLock { $0.counter = counter }
    }

    /// A mailbox with the state as it is, for the events until the next stop; after a stop there are none to come.
    ///
    /// - Parameter wantsResults: Whether the end of each probe is put in, too.
    func addReader(wantsResults: Bool = false, arrival: (@Sendable () -> Void)? = nil) -> Mailbox<SharedEvent> {
        let mailbox = Mailbox<SharedEvent>(capacity: Self.capacity, arrival: arrival)
        let isStopped = withSnapshot { state, snapshot in
            // While a run begins, the state as it is comes as its first event.
            if state.hasStarted || state.loop == nil { mailbox.put(SharedEvent(snapshot)) }
            guard !state.isStopped else { return true }
            state.readers.add(mailbox)
            if wantsResults { state.resultReaders.add(mailbox) }
            return false
        }
        if isStopped { mailbox.finish() }
        return mailbox
    }

    /// Every result of a probe from now on, until the next stop.
    func results() -> AsyncStream<ProbeResult> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.capacity)) { continuation in
            let (id, isStopped) = state.withLock { state in
                state.lastID += 1
                if !state.isStopped { state.results[state.lastID] = continuation }
                return (state.lastID, state.isStopped)
            }
            if isStopped { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in self?.removeResults(id) }
        }
    }

    private func removeResults(_ id: UInt64) {
        _ = state.withLock { $0.results.removeValue(forKey: id) }
    }

    func addCallback(_ execution: CallbackExecution, _ handler: @escaping @Sendable (Event) -> Void) -> Subscription {
        let delivery = CallbackDelivery(
            mailbox: Mailbox<SharedEvent>(capacity: Self.capacity), execution: execution, handler: handler)
        let (id, loop) = withSnapshot { state, snapshot in
            state.lastID += 1
            state.callbacks.append((state.lastID, delivery))
            if state.hasStarted { delivery.mailbox.put(SharedEvent(snapshot)) }
            return (state.lastID, state.loop)
        }
        loop?.schedule(after: .zero) { delivery.drain() }
        return Subscription { self.removeCallback(id) }
    }

    /// Calls back once the state is as a condition wants it; at once where it is already.
    func addWaiter(_ condition: WaitCondition, _ resume: @escaping @Sendable (Event?) -> Void) -> UInt64 {
        let (id, isOver, met) = state.withLock { state -> (UInt64, Bool, MetWaiters?) in
            state.lastID += 1
            guard !state.isOver else { return (state.lastID, true, nil) }
            state.waiters[state.lastID] = Waiter(condition: condition, resume: resume)
            return (state.lastID, false, state.takeMetWaiters())
        }
        met?.end()
        if isOver { resume(nil) }
        return id
    }

    /// Ends a wait with what the state is then; does nothing where it has ended.
    func endWaiter(_ id: UInt64) {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(nil)
    }

    /// Ends all waits, and each that is begun later, in vain: there will be no further start.
    func endWaiters() {
        let waiters = state.withLock { state in
            state.isOver = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(nil) }
    }

    private func removeCallback(_ id: UInt64) {
        let callback = state.withLock { state in
            state.callbacks.firstIndex { $0.id == id }.map { state.callbacks.remove(at: $0).delivery }
        }
        callback?.mailbox.finish()
        callback?.end()
    }
}

extension ConnectivityReducer.Output {
    /// How many values it makes for those that read results, all at one stroke.
    fileprivate var company: Int { results.count + (told == nil ? 0 : 1) }
}
