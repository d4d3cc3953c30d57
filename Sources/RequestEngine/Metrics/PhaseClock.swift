import EventLoop

/// Adds up how long a request spends in each phase, from time stamps of our own.
///
/// libcurl's are lost where a transfer fails. A phase that is entered again (a new connection in place of a dead one,
/// a second round of authentication) goes on counting.
struct PhaseClock {
    let start: MonotonicTime
    private var current: Phase
    private var since: MonotonicTime
    private var durations: [Phase: Duration] = Dictionary(minimumCapacity: Phase.allCases.count)
    private var hasOpenedSocket = false
    /// Whether the request went out over a connection that was there already.
    private(set) var isConnectionReused = false

    init(needsLookUp: Bool, now: MonotonicTime = .now) {
        start = now
        since = now
        current = needsLookUp ? .resolve : .connect
    }

    /// Whether there is no connection yet, not even one that is being made.
    var awaitsConnection: Bool { !hasOpenedSocket && (current == .connect || current == .resolve) }

    /// Whether there is a connection for bytes of the message to move on.
    var isExchanging: Bool { current == .processing || current == .transfer }

    /// The phase the request is in, or ended in.
    var phase: Phase { current }

    var elapsed: Duration { start.duration(to: .now) }

    mutating func socketOpened(now: MonotonicTime = .now) {
        hasOpenedSocket = true
        isConnectionReused = false
        if current != .connect { enter(.connect, now) }
    }

    mutating func handshakeStarted(now: MonotonicTime = .now) {
        enter(.tls, now)
    }

    mutating func connectionReady(now: MonotonicTime = .now) {
        guard !hasOpenedSocket, !isConnectionReused else { return enter(.processing, now) }
        isConnectionReused = true
        current = .processing
        since = now
    }

    mutating func headerReceived(now: @autoclosure () -> MonotonicTime = .now) {
        if current != .transfer { enter(.transfer, now()) }
    }

    /// Puts what was measured until now into the metrics.
    func report(into metrics: inout RequestMetrics, now: MonotonicTime = .now) {
        metrics.phases = durations
        metrics.phases[current, default: .zero] += since.duration(to: now)
        metrics.duration = start.duration(to: now)
        metrics.isConnectionReused = isConnectionReused
    }

    private mutating func enter(_ phase: Phase, _ now: MonotonicTime) {
        durations[current, default: .zero] += since.duration(to: now)
        current = phase
        since = now
    }
}
