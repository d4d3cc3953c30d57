internal import Connectivity
internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability
internal import RequestEngine
internal import Resolver

/// Where a name is looked for: in this host's file, by systemd-resolved where this host's programs ask that, else at name
/// servers, each of which is an exchange.
extension Prober {
    /// The addresses of a name and how long they hold.
    struct Finding: Sendable {
        var addresses: [IPAddress]
        var lifetime: Duration

        /// What this host knows by itself holds until it is changed.
        static let ownLifetime = Duration.seconds(86_400)
    }

    /// Looks a name up for the lane that asks.
    func answer(to question: NameQuestion) async -> Answer {
        do throws(NameFailure) {
            let found = try await find(question)
            return .addresses(found.addresses, lifetime: found.lifetime)
        } catch {
            return Answer(error)
        }
    }

    func find(_ question: NameQuestion) async throws(NameFailure) -> Finding {
        if let address = IPAddress(question.name) {
            return Finding(addresses: [address], lifetime: Finding.ownLifetime)
        }
        if let own = names.ownAddresses(of: question.name, family: question.family) {
            return Finding(addresses: own, lifetime: Finding.ownLifetime)
        }
        guard let name = InternationalName.ascii(question.name) else {
            throw NameFailure(.invalidName(question.name), .unsent)
        }
        if let found = try await findByManager(name, question) { return found }
        let deadline = MonotonicTime.now.advanced(by: question.timeout)
        let system = names.resolver()
        var servers = servers(for: question, system)
        guard !servers.isEmpty else { throw NameFailure(.noServers, .unsent) }
        var failure: NameFailure?
        for candidate in system.candidates(name) {
            do throws(NameFailure) {
                return try await find(candidate, at: &servers, question, system, until: deadline)
            } catch {
                guard error.isOfName else { throw error }
                failure = failure ?? error
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
        nameTurn = (nameTurn + 1) % max(system.servers.count, 1)
        return Array(system.servers[nameTurn...] + system.servers[..<nameTurn])
    }

    /// A server with its zone, where this host has one for it.
    func known(_ server: IPAddress, to system: SystemResolver) -> NameServer {
        system.servers.first { $0.address == server } ?? NameServer(server)
    }

    // MARK: systemd-resolved

    /// Where systemd-resolved listens for programs that ask a name server.
    private static let stubs = ["127.0.0.53", "127.0.0.54"].compactMap { IPAddress($0) }

    /// Nil where systemd-resolved does not run, is not what this host asks for names, or knows no servers.
    private func findByManager(_ name: String, _ question: NameQuestion) async throws(NameFailure) -> Finding? {
        guard let link = linkAtManager(question), resolved.isRunning else { return nil }
        let stub = question.server.map {
            OpenExchange(question.id, $0, question.interface, .udp(port: 53), of: self)
        }
        stub?.begin()
        do throws(ResolverError) {
            let found = try await resolved.addresses(
                of: name, family: question.family, link: link, timeout: question.timeout)
            stub?.hear()
            // How long they hold it does not say.
            return Finding(addresses: found, lifetime: .zero)
        } catch {
            switch error {
            case .noServers, .setup:
                stub?.miss(.void)
                return nil
            case .timedOut: stub?.miss(.silent)
            case .cancelled: stub?.miss(.void)
            default: stub?.hear()
            }
            throw NameFailure(error, .heard)
        }
    }

    /// The link whose servers systemd-resolved is to ask, 0 for any; nil where this host asks another resolver.
    private func linkAtManager(_ question: NameQuestion) -> UInt32? {
        if let server = question.server { return Self.stubs.contains(server) ? 0 : nil }
        if let name = question.interface { return nameServers[name] == nil ? index(of: name) : nil }
        let isAsked =
            names.services().asksResolved
            || names.resolver().servers.allSatisfy { Self.stubs.contains($0.address) }
        return isAsked ? 0 : nil
    }

    // MARK: Name servers

    /// Asks one server after the other, each for its share of the time. The one that has answered is the first from then on.
    private func find(
        _ name: String, at servers: inout [NameServer], _ question: NameQuestion, _ system: SystemResolver,
        until deadline: MonotonicTime
    ) async throws(NameFailure) -> Finding {
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
    ) async throws(NameFailure) -> Finding {
        let link = question.interface ?? server.zoneIndex.flatMap(name(of:))
        let exchange = OpenExchange(question.id, server.address, link, .udp(port: Int(server.port)), of: self)
        let resolver = resolver(of: server, question.interface, attempt: attempt, isOverTCP: system.isOverTCP)
        func records(_ type: RecordType) async -> Result<Finding, NameFailure> {
            let end = await resolver.ask(for: name, type, timeout: time) { exchange.begin() }
            if end.word == .heard { exchange.hear() }
            return end.outcome.map(Finding.init).mapError { NameFailure($0, end.word) }
        }
        defer { exchange.miss(.silent) }
        switch question.family {
        case .ipv4: return try end(await records(.a), exchange)
        case .ipv6: return try end(await records(.aaaa), exchange)
        case nil:
            async let first = records(.aaaa)
            let second = await records(.a)
            return try end(Finding.joined(await first, second), exchange)
        }
    }

    private func end(
        _ result: Result<Finding, NameFailure>, _ exchange: OpenExchange
    ) throws(NameFailure) -> Finding {
        if case .failure(let failure) = result { exchange.miss(Miss(failure.word)) }
        return try result.get()
    }

    private func resolver(
        of server: NameServer, _ interface: String?, attempt: Duration, isOverTCP: Bool
    ) -> Resolver {
        var configuration = ResolverConfiguration(
            servers: [server], interface: interface, attemptTimeout: attempt, attempts: 2)
        configuration.isOverTCP = isOverTCP
        if let resolver = resolvers[configuration] { return resolver }
        let resolver = Resolver(configuration: configuration, loop: loop)
        resolvers[configuration] = resolver
        return resolver
    }
}

extension Prober.Finding {
    init(_ records: [Record]) {
        addresses = []
        var least = Int.max
        for case .address(let address, let timeToLive) in records {
            addresses.append(address)
            least = min(least, timeToLive)
        }
        lifetime = addresses.isEmpty ? .zero : .seconds(max(0, least))
    }

    /// What came of both families, IPv6's addresses first. The failure of one is none while the other has an address.
    static func joined(
        _ one: Result<Prober.Finding, NameFailure>, _ other: Result<Prober.Finding, NameFailure>
    ) -> Result<Prober.Finding, NameFailure> {
        switch (one, other) {
        case (.success(let one), .success(let other)):
            .success(
                Prober.Finding(
                    addresses: one.addresses + other.addresses, lifetime: min(one.lifetime, other.lifetime)))
        case (.success, .failure): one
        case (.failure, .success): other
        case (.failure(let one), .failure(let other)): .failure(.telling(other, one))
        }
    }
}
