import CNetlink

/// Rounds of questions: each look-up once a round, and those that can be foreseen at the cost of one.
extension RequestSocket {
    /// Begins a round: asks again at once what the last rounds have needed, and lets ``answer(_:)`` answer from that.
    public mutating func beginRound() {
        var next = exchange(&round, with: nil) ?? LookupRound()
        defer { round = next }
        next.begin()
        let known = exchange(&batch, with: nil)
        let fitting = known.flatMap { next.wants($0.lookups) ? $0 : nil }
        // What cannot be put together is asked one by one.
        guard var foreseen = fitting ?? (try? LookupBatch(next.wanted)) else { return }
        if !foreseen.lookups.isEmpty { conversation.ask(&foreseen, &next) }
        batch = foreseen
    }

    /// Begins a round of questions that are known beforehand, and asks as many of them at once as a batch has room for.
    public mutating func beginRound(expecting queries: [RouteQuery]) {
        let expected = queries.prefix(LookupBatch.limit).map { Lookup(query: $0, isEntry: true) }
        round = LookupRound(expecting: expected)
        batch = nil
        beginRound()
    }

    /// One look-up, once a round.
    mutating func lookUp(_ lookup: Lookup) throws(NetlinkError) -> LookupResult {
        if let known = round?.result(of: lookup) { return known }
        let result = try result(of: lookup)
        round?.note(result, of: lookup)
        return result
    }

    private mutating func result(of lookup: Lookup) throws(NetlinkError) -> LookupResult {
        let request = try NetlinkRequest.lookUp(lookup)
        do throws(NetlinkError) {
            let route = try conversation.first(request) { (message) throws(NetlinkError) -> RouteMessage? in
                guard case .route(.new, let route) = try NetlinkMessageParser.parse(message) else { return nil }
                return route
            }
            guard let route else { throw .noAnswer(request: request.name) }
            return .success(route)
        } catch {
            return try LookupResult(error)
        }
    }
}

extension Conversation {
    /// Asks all look-ups of a batch as one exchange, and notes what each came to. Nothing is noted where there is no answer
    /// that can be understood: that look-up is for an exchange of its own, which repairs what went wrong, or says it.
    ///
    /// The kernel takes the messages of a datagram one by one, and has answered all of them when the send returns, so that
    /// nothing is waited for.
    fileprivate mutating func ask(_ batch: inout LookupBatch, _ round: inout LookupRound) {
        let count = batch.lookups.count
        let first = handle.nextSequence(count: count)
        batch.number(from: first)
        guard handle.send(batch.bytes) else { return }
        _ = batch.answers.receive(from: handle.descriptor, atMost: count) { datagram in
            guard datagram.isFromKernel, let bytes = datagram.bytes else { return }
            do throws(NetlinkError) {
                try Message.forEach(in: bytes) { (message) throws(NetlinkError) in
                    let index = Int(message.header.nlmsg_seq &- first)
                    guard index < count, let result = try LookupResult(message) else { return }
                    round.note(result, at: index)
                }
            } catch {}
        }
    }
}
