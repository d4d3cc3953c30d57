internal import Connectivity
internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability
internal import RequestEngine
internal import Resolver

/// Where a name is looked for: in this host's file, by systemd-resolved where this host's programs ask that, else at name
/// servers, each of which is an exchange.
extension NameFinder {
    /// Looks a name up for the lane that asks.
    func answer(to question: NameQuestion) async -> Answer {
        do throws(NameFailure) {
            let found = try await find(question)
            return .addresses(found.addresses, lifetime: found.lifetime)
        } catch {
            return Answer(error)
        }
    }

    func find(_ question: NameQuestion) async throws(NameFailure) -> NameFinding {
        if let address = IPAddress(question.name) {
            return NameFinding(addresses: [address], lifetime: NameFinding.ownLifetime)
        }
        if let own = files.ownAddresses(of: question.name, family: question.family) {
            return NameFinding(addresses: own, lifetime: NameFinding.ownLifetime)
        }
        guard let name = InternationalName.ascii(question.name) else {
            throw NameFailure(.invalidName(question.name), .unsent)
        }
        if let found = try await findByManager(name, question) { return found }
        let deadline = MonotonicTime.now.advanced(by: question.timeout)
        let system = files.resolver()
        var servers = servers(for: question, system)
        guard !servers.isEmpty else { throw NameFailure(.noServers, .unsent) }
        var failure: NameFailure?
        let candidates = system.candidates(name)
        for candidate in candidates {
            // What a server could not find out in one domain may take it as long in the next: time is left to say so.
            let hasFailed = failure?.isServerFailure == true
            let end = hasFailed ? deadline.advanced(by: .zero - question.timeout / 10) : deadline
            do throws(NameFailure) {
                return try await find(candidate, at: &servers, question, system, until: end)
            } catch {
                // As the C library does: what a server cannot find out in one domain may be found in the next. That it could not
                // says more than that the name is not in the others, unless it was asked for as it is first.
                guard error.isOfName || error.isServerFailure else {
                    // A word that was given is not undone by silence about another domain. A want of this host's own is
                    // none of the server's.
                    if let failure, failure.isServerFailure, error.isOfServer { throw failure }
                    throw error
                }
                let isWorse = error.isServerFailure && candidates.first != name
                if failure == nil || (isWorse && failure?.isOfName == true) { failure = error }
            }
        }
        throw failure ?? NameFailure(.nameNotFound(name), .unsent)
    }

    /// The one that is named, else those of the interface, else those of the system.
    private func servers(for question: NameQuestion, _ system: SystemResolver) -> [NameServer] {
        if let server = question.server { return [known(server, to: system)] }
        let own = servers(of: question.interface)
        guard own.isEmpty else { return own }
        guard system.takesTurns else { return system.servers }
        turn = (turn + 1) % max(system.servers.count, 1)
        return Array(system.servers[turn...] + system.servers[..<turn])
    }

    /// A server with its zone, where this host has one for it.
    func known(_ server: IPAddress, to system: SystemResolver) -> NameServer {
        // Of those behind systemd-resolved's own address the path has no zones.
        let servers = system.servers + (server.isLinkLocal ? files.resolved().servers : [])
        return servers.first { $0.address == server } ?? NameServer(server)
    }

    // MARK: systemd-resolved

    /// Where systemd-resolved listens for programs that ask a name server.
    private static let stubs = ["127.0.0.53", "127.0.0.54"].compactMap { IPAddress($0) }

    /// Nil where systemd-resolved does not run, is not what this host asks for names, or knows no servers.
    private func findByManager(_ name: String, _ question: NameQuestion) async throws(NameFailure) -> NameFinding? {
        guard let link = linkAtManager(question), resolved.isRunning else { return nil }
        let stub = question.server.map {
            // It is on this host itself, whatever the probe is bound to.
            OpenExchange(question.id, $0, nil, .udp(port: 53), of: exchanges)
        }
        stub?.begin()
        do throws(ResolverError) {
            let found = try await resolved.addresses(
                of: name, family: question.family, link: link, timeout: question.timeout)
            stub?.hear()
            // How long they hold it does not say.
            return NameFinding(addresses: found, lifetime: .zero)
        } catch {
            switch error {
            case .noServers, .setup:
                stub?.miss(.void)
                return nil
            case .timedOut:
                stub?.miss(.silent)
                throw NameFailure(error, .silent)
            case .cancelled: stub?.miss(.void)
            default: stub?.hear()
            }
            throw NameFailure(error, .heard)
        }
    }

    /// Whether systemd-resolved is asked for the names of a probe.
    func asksManager(for probe: Probe) -> Bool {
        let question = NameQuestion(id: probe.id, name: "", interface: probe.interface, timeout: probe.timeout)
        return linkAtManager(question) != nil && resolved.isRunning
    }

    /// The link whose servers systemd-resolved is to ask, 0 for any; nil where this host asks another resolver.
    private func linkAtManager(_ question: NameQuestion) -> UInt32? {
        if let server = question.server { return Self.stubs.contains(server) ? 0 : nil }
        if let name = question.interface { return nameServers[name] == nil ? index(of: name) : nil }
        let isAsked =
            files.services().asksResolved
            || files.resolver().servers.allSatisfy { Self.stubs.contains($0.address) }
        return isAsked ? 0 : nil
    }

    // MARK: Name servers

    /// Asks one server after the other, each for its share of the time. The one that has answered is the first from then on.
    private func find(
        _ name: String, at servers: inout [NameServer], _ question: NameQuestion, _ system: SystemResolver,
        until deadline: MonotonicTime
    ) async throws(NameFailure) -> NameFinding {
        var failure: NameFailure?
        let share = question.timeout / servers.count
        for (place, server) in servers.enumerated() {
            let left = MonotonicTime.now.duration(to: deadline)
            guard left > .zero else { break }
            let isLast = place == servers.count - 1
            let time = isLast ? left : min(left, share, system.patience ?? share)
            do throws(NameFailure) {
                return try await ask(server, for: name, question, system, attempt: share / 2, within: time)
            } catch {
                guard error.isOfServer else {
                    servers = Array(servers[place...] + servers[..<place])
                    throw error
                }
                failure = .telling(failure, error)
            }
        }
        throw failure ?? NameFailure(.timedOut(name, after: question.timeout), .silent)
    }

    /// Asks one server for the addresses of both families or of one.
    private func ask(
        _ server: NameServer, for name: String, _ question: NameQuestion, _ system: SystemResolver, attempt: Duration,
        within time: Duration
    ) async throws(NameFailure) -> NameFinding {
        let binding = server.binding(of: question.interface)
        var link = binding
        if link == nil, let index = server.zoneIndex { link = await exchanges.name(of: index) }
        let exchange = OpenExchange(question.id, server.address, link, .udp(port: Int(server.port)), of: exchanges)
        let resolver = resolver(of: server, binding, attempt: attempt, isOverTCP: system.isOverTCP)
        func records(_ type: RecordType) async -> Result<NameFinding, NameFailure> {
            let end = await resolver.ask(for: name, type, timeout: time) { exchange.begin() }
            if end.word == .heard { exchange.take(.heard, heardAt: end.heardAt) }
            return end.outcome.map(NameFinding.init).mapError { NameFailure($0, end.word) }
        }
        let result: Result<NameFinding, NameFailure>
        switch question.family {
        case .ipv4: result = await records(.a)
        case .ipv6: result = await records(.aaaa)
        case nil:
            async let first = records(.aaaa)
            let second = await records(.a)
            result = NameFinding.joined(await first, second)
        }
        // Silence in what was left of the time says nothing of the server.
        let silence: Miss = time < attempt ? .void : .silent
        if case .failure(let failure) = result { exchange.take(failure.word, heardAt: nil) }
        exchange.miss(silence)
        return try result.get()
    }

    private static let mostResolvers = 64

    private func resolver(
        of server: NameServer, _ interface: String?, attempt: Duration, isOverTCP: Bool
    ) -> Resolver {
        // By tenths of a second: what was measured would be another resolver each time.
        let tenths = max(1, Int64((attempt / .milliseconds(100)).rounded(.up)))
        var configuration = ResolverConfiguration(
            servers: [server], interface: interface, attemptTimeout: .milliseconds(100 * tenths), attempts: 2)
        configuration.isOverTCP = isOverTCP
        if let resolver = resolvers[configuration] { return resolver }
        let resolver = Resolver(configuration: configuration, loop: loop)
        // Those that are in use are held by their questions.
        if resolvers.count >= Self.mostResolvers { resolvers = [:] }
        resolvers[configuration] = resolver
        return resolver
    }
}

extension NameServer {
    /// What its questions are bound to: a server on this host itself is reached by the loopback alone, whatever the
    /// probe is bound to.
    func binding(of interface: String?) -> String? { address.isLoopback ? nil : interface }
}
