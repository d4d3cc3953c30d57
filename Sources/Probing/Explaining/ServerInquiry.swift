internal import Connectivity
internal import EventLoop
internal import Glibc
internal import NetworkAddress
internal import Resolver
internal import SystemPackage

/// Asks name servers one by one, each by itself. It stays on the prober's loop.
actor ServerInquiry {
    private let prober: Prober
    private let probe: Probe

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe prober.loop.asUnownedSerialExecutor() }

    /// How long a name server has, in all: each is asked twice.
    private static let serverTime = Duration.milliseconds(1200)
    /// How long they have for all that a name stands for.
    private static let longest = Duration.seconds(2)

    init(for probe: Probe, _ prober: Prober) {
        self.probe = probe
        self.prober = prober
    }

    // MARK: What they say

    /// What another name server says of a name, where it is not the same; at most three are asked.
    ///
    /// - Parameters:
    ///   - names: What this host asks for in turn, with its search domains.
    ///   - least: How many there have to be for a contradiction: with one whose answer was taken, two.
    func disagreement(
        _ names: [String], _ taken: [IPAddress], _ servers: [NameServer], least: Int = 2
    ) async -> ResolverDisagreement? {
        guard servers.count >= least else { return nil }
        for server in servers.prefix(3) {
            switch await answer(of: server, names) {
            case .addresses(let addresses) where Set(addresses).isDisjoint(with: taken):
                return ResolverDisagreement(server: server.address, answer: .addresses(addresses))
            case .failure(let failure) where failure.reason == .nameNotFound:
                return ResolverDisagreement(server: server.address, answer: .failure(failure))
            default: continue
            }
        }
        return nil
    }

    private func answer(of server: NameServer, _ names: [String]) async -> ResolverDisagreement.Answer {
        let resolver = resolver([server], within: .milliseconds(300))
        var last = ProbeFailure(ResolverError.noServers)
        for name in names {
            do throws(ResolverError) {
                return .addresses(try await resolver.addresses(of: name, family: probe.family))
            } catch {
                last = ProbeFailure(error)
                guard last.reason == .nameNotFound else { break }
            }
        }
        return .failure(last)
    }

    /// The prefix under which the network translates IPv4 (RFC 7050): a name that has IPv4 addresses only has others where
    /// it does.
    func translation() async -> IPAddress? {
        // Those of the system are named too, where the interface has none: they may be on this host itself.
        let found = try? await resolver(await prober.names.allServers(for: probe), within: .milliseconds(500))
            .addresses(of: "ipv4only.arpa", family: .ipv6)
        guard case .v6(let address)? = found?.first else { return nil }
        return .v6(IPv6Address(rawValue: address.rawValue & ~0xFFFF_FFFF))
    }

    private func resolver(_ servers: [NameServer], within time: Duration) -> Resolver {
        // Those on this host itself are reached by its loopback alone.
        let areOwn = !servers.isEmpty && servers.allSatisfy(\.address.isLoopback)
        return Resolver(
            configuration: ResolverConfiguration(
                servers: servers, interface: areOwn ? nil : probe.interface, attemptTimeout: time, attempts: 1,
                timeout: time),
            loop: prober.loop)
    }

    // MARK: What they do with a question

    /// Asks each name server by itself, at one time; at most three.
    ///
    /// - Parameter type: What is asked for; nil for the addresses of the probe's family, and beside them the others.
    func answers(_ host: String, type: RecordType? = nil, _ servers: [NameServer]) async -> [ServerAnswer] {
        await answers(host, type, servers, until: MonotonicTime.now.advanced(by: Self.serverTime))
    }

    /// The same for the first of several names, those that a name stands for with its search domains, of which they
    /// have more to say than that it is not there; for the last that there was time for where there is none.
    ///
    /// - Returns: Which name that is, and what they say of it; of those that were silent about a name before, that.
    func answers(toFirstOf names: [String], _ servers: [NameServer]) async -> (name: String?, answers: [ServerAnswer]) {
        let end = MonotonicTime.now.advanced(by: Self.longest)
        var servers = servers
        var unheard: [ServerAnswer] = []
        var last: (name: String?, answers: [ServerAnswer]) = (nil, [])
        for name in names {
            let now = MonotonicTime.now
            // With less time a server that is slow would seem to be silent.
            guard last.name == nil || now.duration(to: end) > Self.serverTime / 2 else { break }
            let said = await answers(name, nil, servers, until: min(now.advanced(by: Self.serverTime), end))
            last = (name, said + unheard)
            let heard = said.filter(\.isHeard)
            guard !heard.isEmpty, heard.allSatisfy({ $0.code == ServerAnswer.noSuchName }) else { break }
            // The others are not waited for a second time.
            unheard += said.filter { !$0.isHeard }
            servers = heard.map(\.server)
        }
        return last
    }

    private func answers(
        _ host: String, _ type: RecordType?, _ servers: [NameServer], until deadline: MonotonicTime
    ) async -> [ServerAnswer] {
        let asked = servers.prefix(3).map { server in
            Task(executorPreference: prober.loop) { await self.serverAnswer(host, type, server, until: deadline) }
        }
        var answers: [ServerAnswer] = []
        for answer in asked { answers.append(await answer.value) }
        return answers
    }

    private func serverAnswer(
        _ host: String, _ type: RecordType?, _ server: NameServer, until deadline: MonotonicTime
    ) async -> ServerAnswer {
        let main = type ?? (probe.family == .ipv6 ? .aaaa : .a)
        let second = type == nil ? ServerQuestion(host, main == .a ? .aaaa : .a) : nil
        let other = Task(executorPreference: prober.loop) {
            await self.outcome(of: second, server, until: deadline)
        }
        let outcome = await outcome(of: ServerQuestion(host, main), server, until: deadline)
        var answer = ServerAnswer(server: server, outcome: outcome)
        if outcome == .silent, case .code = await other.value { answer.answered = main == .a ? .ipv6 : .ipv4 }
        other.cancel()
        guard outcome == .code(ServerAnswer.serverFailure) else { return answer }
        let unchecked = await self.outcome(of: ServerQuestion(host, main, checks: false), server, until: deadline)
        answer.answersUnchecked = unchecked == .code(0)
        return answer
    }

    private func outcome(
        of question: ServerQuestion?, _ server: NameServer, until deadline: MonotonicTime
    ) async -> ServerAnswer.Outcome {
        guard let question else { return .silent }
        var interface = server.binding(of: probe.interface)
        if interface == nil, let index = server.zoneIndex { interface = await prober.exchanges.name(of: index) }
        do throws(Errno) {
            let socket = try ProbeSocket(.datagram, connectingTo: server.address, port: server.port, by: interface)
            let half = MonotonicTime.now.advanced(by: MonotonicTime.now.duration(to: deadline) / 2)
            for deadline in [half, deadline] {
                try socket.send(question.bytes)
                var isReady = true
                while isReady {
                    let outcome = await ReadinessWait(loop: prober.loop).outcome(socket, .readable, until: deadline)
                    // A server that sends without end does not put it off.
                    if case .ready = outcome { isReady = MonotonicTime.now < deadline } else { isReady = false }
                    // Also where the time is over: this thread may have come late to look.
                    if let outcome = question.outcome(of: try socket.receive()) { return outcome }
                }
            }
            return .silent
        } catch {
            return .failed(error)
        }
    }
}

/// A question for a name's records of one type, as a message of its own (RFC 1035, section 4).
private struct ServerQuestion {
    let bytes: [UInt8]

    /// Nil for what cannot be asked for.
    init?(_ host: String, _ type: RecordType, checks: Bool = true) {
        let id = UInt16.random(in: .min ... .max)
        var bytes: [UInt8] = [UInt8(id >> 8), UInt8(id & 0xFF), 0x01, checks ? 0 : 0x10, 0, 1, 0, 0, 0, 0, 0, 0]
        for label in host.split(separator: ".") {
            guard 1...63 ~= label.utf8.count else { return nil }
            bytes.append(UInt8(label.utf8.count))
            bytes += label.utf8
        }
        guard bytes.count < 266 else { return nil }
        self.bytes = bytes + [0, UInt8(type.code >> 8), UInt8(type.code & 0xFF), 0, 1]
    }

    /// What the answer to this question says; nil for what is none.
    func outcome(of answer: [UInt8]) -> ServerAnswer.Outcome? {
        guard answer.count >= 12, answer[..<2] == bytes[..<2], answer[2] & 0x80 != 0 else { return nil }
        return answer[2] & 0x02 != 0 ? .cutShort : .code(answer[3] & 0x0F)
    }
}

extension ProbeSocket {
    fileprivate func send(_ bytes: [UInt8]) throws(Errno) {
        guard unsafe Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) >= 0 else {
            throw Errno(rawValue: errno)
        }
    }

    /// One datagram; empty where none has come after all.
    fileprivate func receive() throws(Errno) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else {
            guard errno == EAGAIN else { throw Errno(rawValue: errno) }
            return []
        }
        return Array(buffer.prefix(count))
    }
}
