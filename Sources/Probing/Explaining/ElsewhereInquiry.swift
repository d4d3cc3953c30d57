internal import Connectivity
internal import Echo
internal import EventLoop
internal import Evidence
internal import Glibc
internal import Netlink
internal import NetworkAddress
internal import Reachability
internal import Resolver
internal import SystemPackage

/// The last step: whether anything else works from here. All of it is asked at one time, and takes no longer than
/// ``longest``. It stays on the prober's loop.
actor ElsewhereInquiry {
    private let facts: ExplanationFacts
    private let way: WayFacts
    private let probe: Probe
    private let path: Path
    private let loop: EventLoop
    private let pinger: Pinger
    private var kernel = Kernel()

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// The second SYN, a second after the first, is in it.
    private static let longest = Duration.milliseconds(1500)
    /// The most other interfaces that are asked.
    private static let mostUplinks = 3

    init(_ facts: ExplanationFacts, _ probe: Probe, _ prober: Prober) {
        self.facts = facts
        way = facts.way
        self.probe = probe
        path = facts.subject.path
        loop = prober.loop
        pinger = prober.pinger
    }

    /// Asks the next router, other hosts by the same way, the link below a tunnel, and other interfaces.
    ///
    /// - Parameter references: Hosts that may be asked, known by their addresses.
    func look(_ references: [Reference]) async -> Elsewhere {
        let questions = questions(references)
        // They begin on the loop's thread, and none waits for another one that is busy.
        let replies = questions.map { question in
            Task(executorPreference: loop) { await self.reply(to: question) }
        }
        for reply in replies { _ = await reply.value }
        var checks: [Elsewhere.Check] = []
        for (question, reply) in zip(questions, replies) {
            let reply = await reply.value
            // What cannot be asked would seem not to answer.
            guard reply != .unsent || question.kind == .gateway else { continue }
            checks.append(await check(question, reply))
        }
        return Elsewhere(checks: checks)
    }

    /// Those name servers that questions leave for as packets for the subject do.
    func onSameWay(_ servers: [NameServer]) -> [NameServer] {
        let index = probe.interface == nil ? nil : way.link?.index
        return servers.filter { leaves($0.address, .udp(port: Int($0.port)), by: index) }
    }

    private enum Reply: Sendable {
        case answered
        /// Refused, by the host or by a filter of this one.
        case refused
        case silent
        /// This host had no socket or local port for it.
        case unsent
    }

    // MARK: What is asked

    private struct Question: Sendable {
        let kind: Elsewhere.Check.Kind
        let reference: Reference
        /// The interface to bind to; nil to go by the route.
        let binding: String?
        /// The interface to tell of.
        let interface: String?
    }

    private func questions(_ references: [Reference]) -> [Question] {
        let subject = way.destination ?? IPAddress(facts.subject.host)
        let family = subject?.family ?? (path.ipv4.isUsable || !path.ipv6.isUsable ? .ipv4 : .ipv6)
        let target = facts.target(of: family)
        let others = references.filter { $0.address.family == family && $0.address != target?.address }
        return gateway(family) + sameWay(family, others)
            + sameWay(family, translated(references, target?.address ?? way.destination))
            + below(family, [target].compactMap { $0 } + others)
            + uplinks(family, [target].compactMap { $0 } + others)
    }

    /// Hosts behind the translator to IPv4 that the subject is behind.
    private func translated(_ references: [Reference], _ subject: IPAddress?) -> [Reference] {
        guard let translator = subject.flatMap(Translator.init(before:)) else { return [] }
        return references.compactMap { reference in
            guard let address = translator.address(of: reference.address), address != subject else { return nil }
            return Reference(address, port: reference.port, otherPort: reference.otherPort)
        }
    }

    private func gateway(_ family: AddressFamily) -> [Question] {
        let known = way.gateway ?? way.link?[family].gateway ?? (way.link == nil ? path[family].gateway : nil)
        guard let known else { return [] }
        let interface = way.link?.name ?? path[family].interface
        // Nothing could be bound to an interface that is not there.
        let binding = way.link == nil ? nil : probe.interface
        return [
            Question(kind: .gateway, reference: Reference(known, port: 53), binding: binding, interface: interface)
        ]
    }

    /// Where nothing leads out, nothing is asked.
    private func sameWay(_ family: AddressFamily, _ references: [Reference]) -> [Question] {
        guard probe.interface == nil ? path[family].isUsable : way.link?[family].isUsable == true else { return [] }
        // A rule by port may send the subject another way than others.
        let bindings = probe.interface.map { [$0] } ?? [nil, way.link?.name]
        return references.prefix(3).compactMap { reference in
            guard
                let binding = bindings.first(where: { name in
                    let index = name == nil ? nil : way.link?.index
                    return leaves(reference.address, .tcp(port: Int(reference.port)), by: index)
                })
            else { return nil }
            return Question(
                kind: .reference, reference: reference, binding: binding,
                interface: way.link?.name ?? path[family].interface)
        }
    }

    /// Whether packets leave for a host as those for the subject do: by the same link, and the same gateway where there is one.
    private func leaves(_ address: IPAddress, _ flow: Flow, by index: UInt32?) -> Bool {
        let route = kernel.routeOfConnection(to: address, by: index, flow, under: way.rules).answer
        guard case .route(let match, let chosen)? = route, match.type != .local else { return false }
        guard let link = way.link else { return true }
        return (chosen?.outputInterface ?? match.outputInterface) == link.index
            && (way.gateway == nil || (chosen?.gateway ?? match.gateway) == way.gateway)
    }

    private func below(_ family: AddressFamily, _ hosts: [Reference]) -> [Question] {
        guard let link = way.link, link.isTunnel else { return [] }
        return link.via.dropFirst().flatMap { name in ask(.linkBelow, by: name, family, hosts) }
    }

    private func uplinks(_ family: AddressFamily, _ hosts: [Reference]) -> [Question] {
        let used = way.link?.via ?? facts.subject.interface.map { [$0] } ?? []
        let others = path.interfaces.filter { other in
            other[family].isUsable && !used.contains(other.name)
                && !(way.link.map { other.via.contains($0.name) } ?? false)
        }
        return others.prefix(Self.mostUplinks).flatMap { ask(.uplink, by: $0.name, family, hosts) }
    }

    /// Bound to an interface that has a route of its own there: without one the kernel would look on the link. Where a
    /// strict reverse-path filter drops what comes back by it, its silence would tell nothing.
    private func ask(
        _ kind: Elsewhere.Check.Kind, by name: String, _ family: AddressFamily, _ hosts: [Reference]
    ) -> [Question] {
        guard let link = path.interface(named: name) else { return [] }
        let isFiltered = family == .ipv4 && kernel.filtersReversePath(link.index)
        return hosts.prefix(3).compactMap { host in
            guard kernel.leadsOut(to: host.address, by: link.index) else { return nil }
            if isFiltered, kernel.dropsAnswers(of: host.address, link) { return nil }
            return Question(kind: kind, reference: host, binding: name, interface: name)
        }
    }

    // MARK: What comes back

    private func reply(to question: Question) async -> Reply {
        let interface = question.binding
        let echo = Task(executorPreference: loop) {
            question.kind == .gateway ? await self.echoes(question.reference.address, by: interface) : false
        }
        let other = question.reference.otherPort.map { port in
            Task(executorPreference: loop) {
                await self.knock(Reference(question.reference.address, port: port), by: interface)
            }
        }
        let reply = await knock(question.reference, by: interface)
        let second = await other?.value
        if reply == .answered || second == .answered { return .answered }
        return await echo.value ? .answered : second == .refused ? .refused : reply
    }

    /// Begins a connection and ends it as soon as there is one.
    private func knock(_ reference: Reference, by interface: String?) async -> Reply {
        do throws(Errno) {
            let socket = try ProbeSocket(connectingTo: reference.address, port: reference.port, by: interface)
            _ = await ReadinessWait(loop: loop).outcome(
                socket, .writable, until: .now.advanced(by: Self.longest))
            // However late this thread has come to look.
            guard socket.hasEndedConnecting else { return .silent }
            if let failure = socket.failure { throw failure }
            return .answered
        } catch {
            if ConnectivityReason(socket: error) == .overloaded { return .unsent }
            return error == .connectionRefused || error == .connectionReset ? .refused : .silent
        }
    }

    private func echoes(_ address: IPAddress, by interface: String?) async -> Bool {
        (try? await pinger.echo(to: address, interface: interface, timeout: .seconds(1))) != nil
    }

    /// A refusal proves that the host is there, unless this host itself has refused. The next router is there as well where
    /// it has answered for its address on the link, since it was asked: the kernel believes for half a minute in one that is dead.
    private func check(_ question: Question, _ reply: Reply) async -> Elsewhere.Check {
        let host = question.reference.address
        var answers = reply == .answered
        if reply == .refused {
            let filter = OwnFilter(by: question.binding, loop)
            answers = await filter.refuses(host, port: question.reference.port) != true
        }
        if !answers, question.kind == .gateway, let name = question.interface,
            let index = path.interface(named: name)?.index
        {
            answers = kernel.neighbour(host, on: index)?.wasConfirmed(since: way.time, now: .now) == true
        }
        return Elsewhere.Check(question.kind, host, interface: question.interface, answers: answers)
    }
}

extension ProbeSocket {
    /// Whether the connection stands or has failed.
    fileprivate var hasEndedConnecting: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0
    }
}

extension NeighbourMessage {
    /// Whether the kernel has heard of it since then.
    func wasConfirmed(since start: MonotonicTime, now: MonotonicTime) -> Bool {
        guard state.contains(.reachable) else { return false }
        return confirmed.map { Duration.milliseconds(Int64($0) * 10) <= start.duration(to: now) } ?? true
    }
}

extension Kernel {
    /// Whether packets to an address leave this host, by an interface where one is given.
    fileprivate mutating func leadsOut(to address: IPAddress, by index: UInt32?) -> Bool {
        guard case .route(let match, _)? = route(to: address, by: index) else { return false }
        return match.type != .local
    }
}
