public import EventLoop
public import NetworkAddress

/// Looks names up at chosen servers and through a chosen interface (c-ares), on an event loop and without a thread.
///
/// Unlike `getaddrinfo(3)` it can be bound: a query of a resolver with an interface leaves by that interface or not at
/// all. It reads neither `/etc/hosts` nor search domains.
public actor Resolver {
    private let loop: EventLoop
    private let configuration: ResolverConfiguration
    private var channel: AresChannel?
    private var watches: [CInt: Watch] = [:]
    private var timer: LoopTimer?

    /// Sets nothing up yet: the first look-up does, and reports what is wrong with the configuration.
    public init(configuration: ResolverConfiguration = ResolverConfiguration(), loop: EventLoop) {
        self.configuration = configuration
        self.loop = loop
    }

    deinit {
        // c-ares closes the sockets of questions that were given up only after this, when it cannot tell this resolver any more.
        for watch in watches.values { loop.end(watch) }
        if let timer { loop.cancel(timer) }
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// Asks for the records of a name.
    ///
    /// Cancelling the task ends the look-up at once.
    public func records(of name: String, _ type: RecordType) async throws(ResolverError) -> [Record] {
        try await ask(for: name, type).outcome.get()
    }

    /// Asks for the records of a name, and tells what that shows of the server where there is one only.
    ///
    /// - Parameters:
    ///   - timeout: How long it may take in all; nil for what the configuration says.
    ///   - sent: Called on the loop's thread once the question has left, which it may never do.
    ///   - answered: Called on the loop's thread with how much an answer has, whatever it says.
    /// - Returns: What came of it, the server's word, and when that was heard where it was before the end.
    package func ask(
        for name: String, _ type: RecordType, timeout: Duration? = nil,
        sent: (@Sendable () -> Void)? = nil, answered: (@Sendable (ReplySections) -> Void)? = nil
    ) async -> (outcome: Result<[Record], ResolverError>, word: ServerWord, heardAt: MonotonicTime?) {
        let channel: AresChannel
        do throws(ResolverError) { channel = try openChannel() } catch { return (.failure(error), .unsent, nil) }
        let started = MonotonicTime.now
        let outcome = await send(name, type, over: channel, timeout: timeout ?? configuration.timeout, answered, sent)
        guard case .failure(let error) = outcome else { return (outcome, .heard, nil) }
        let heardAt = channel.heardAt.flatMap { $0 >= started ? $0 : nil }
        let word = ServerWord(error, of: channel, heardAt: heardAt)
        switch error {
        case .unreachable:
            return (
                .failure(channel.bindingError ?? channel.shortage.map { .init(shortage: $0) } ?? .unreachable(name)),
                word, heardAt
            )
        case .timedOut:
            // In whole milliseconds, as people read it.
            let time = Duration.milliseconds(started.duration(to: .now) / .milliseconds(1))
            return (.failure(.timedOut(name, after: time)), word, heardAt)
        default: return (outcome, word, nil)
        }
    }

    /// Asks for the addresses of a name, of both families or of one, IPv6 first.
    ///
    /// With both families asked for, the failure of one is no error while the other has an address. An address given as
    /// a name is returned as it is.
    public func addresses(
        of name: String, family: AddressFamily? = nil
    ) async throws(ResolverError) -> [IPAddress] {
        if let address = IPAddress(name) {
            guard family == nil || family == address.family else {
                throw .noRecords(name, family == .ipv4 ? .a : .aaaa)
            }
            return [address]
        }
        switch family {
        case .ipv4: return try await addresses(name, .a)
        case .ipv6: return try await addresses(name, .aaaa)
        case nil: return try await addressesOfBothFamilies(name)
        }
    }

    private func addressesOfBothFamilies(_ name: String) async throws(ResolverError) -> [IPAddress] {
        async let first = outcome(name, .aaaa)
        let second = await outcome(name, .a)
        switch (await first, second) {
        case (.success(let ipv6), .success(let ipv4)): return ipv6 + ipv4
        case (.success(let ipv6), .failure(_)): return ipv6
        case (.failure(_), .success(let ipv4)): return ipv4
        // That there is no IPv4 address is not yet that there is none.
        case (.failure(let error), .failure(.noRecords)): throw error
        case (.failure(_), .failure(let error)): throw error
        }
    }

    private func outcome(_ name: String, _ type: RecordType) async -> Result<[IPAddress], ResolverError> {
        do throws(ResolverError) {
            return .success(try await addresses(name, type))
        } catch {
            return .failure(error)
        }
    }

    private func addresses(_ name: String, _ type: RecordType) async throws(ResolverError) -> [IPAddress] {
        try await records(of: name, type).compactMap { record in
            guard case .address(let address, _) = record else { return nil }
            return address
        }
    }

    // MARK: c-ares on the loop

    private func openChannel() throws(ResolverError) -> AresChannel {
        if let channel { return channel }
        let opened = try AresChannel(configuration) { [weak self] descriptor, readable, writable in
            self?.assumeIsolated { $0.watch(descriptor, readable: readable, writable: writable) }
        }
        channel = opened
        return opened
    }

    private func send(
        _ name: String, _ type: RecordType, over channel: AresChannel, timeout: Duration,
        _ answered: (@Sendable (ReplySections) -> Void)?, _ sent: (@Sendable () -> Void)?
    ) async -> Query.Outcome {
        guard !Task.isCancelled else { return .failure(.cancelled) }
        let wait = FirstOutcome<Query.Outcome>(loop: loop)
        wait.finish(.failure(.timedOut(name, after: .zero)), at: .now.advanced(by: timeout))
        channel.send(Query(name: name, type: type, answered: answered, wait))
        if !wait.isOver { sent?() }
        rearmTimer()
        // What is begun here is begun on the loop, and not where the wait begins: that may be another thread.
        return await wait.value(ifCancelled: .failure(.cancelled)) { _ in }
    }

    private func watch(_ descriptor: CInt, readable: Bool, writable: Bool) {
        if let watch = watches.removeValue(forKey: descriptor) { loop.end(watch) }
        var interest: Readiness = []
        if readable { interest.insert(.readable) }
        if writable { interest.insert(.writable) }
        guard !interest.isEmpty else { return }
        // A descriptor that cannot be watched is answered by c-ares' own time-out.
        watches[descriptor] = try? loop.watch(descriptor, for: interest) { [weak self] readiness in
            self?.assumeIsolated { $0.process(descriptor, readiness) }
        }
    }

    private func process(_ descriptor: CInt, _ readiness: Readiness) {
        let isReadable = !readiness.isDisjoint(with: [.readable, .failed])
        let failedBefore = channel?.failedCalls
        channel?.process(
            readable: isReadable ? descriptor : nil, writable: readiness.contains(.writable) ? descriptor : nil)
        // An error that a call was told of before stays in the error queue, which c-ares does not read: the loop would be woken
        // for it without end. Where a call fails now, what is in the queue by then may be of the question after.
        if !readiness.isDisjoint(with: .failed), watches[descriptor] != nil, channel?.failedCalls == failedBefore {
            QuerySockets.dropErrors(of: descriptor)
        }
        rearmTimer()
    }

    /// Has c-ares called again when its next retry is due; with no query in flight there is no timer.
    private func rearmTimer() {
        if let timer { loop.cancel(timer) }
        timer = channel?.nextTimeout.map { delay in
            loop.schedule(after: delay) { [weak self] in
                self?.assumeIsolated { resolver in
                    resolver.channel?.process(readable: nil, writable: nil)
                    resolver.rearmTimer()
                }
            }
        }
    }
}
