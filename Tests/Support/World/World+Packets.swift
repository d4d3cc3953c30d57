internal import EventLoop
internal import Evidence
internal import NetworkAddress

/// What becomes of what is sent.
extension World {
    mutating func start(_ ask: Ask) {
        var run = Run(ask: ask, since: now)
        defer { report.count(ask, of: self) }
        guard hasDescriptors else {
            runs[ask.id] = run
            return add(.fail(ask.id, .unsent), after: 0.0001)
        }
        add(.timeout(ask.id), at: now.advanced(by: ask.timeout))
        switch ask.question {
        case .probe(_, let addresses):
            // The first of each family, version 6 first, as RFC 8305 has it.
            let usable = addresses.filter { line(to: $0) != nil }
            run.addresses = [usable.first { $0.family == .ipv6 }, usable.first { $0.family == .ipv4 }].compactMap(
                \.self)
            runs[ask.id] = run
            if run.addresses.isEmpty { return add(.fail(ask.id, .noRoute), after: 0.0001) }
            for (index, address) in run.addresses.enumerated() {
                if index == 0 {
                    sendSYN(ask.id, address, 0)
                } else {
                    add(.syn(ask.id, address, attempt: 0), after: 0.25)
                }
            }
        case .touch(let host, _):
            run.addresses = [host.address]
            runs[ask.id] = run
            guard lines.contains(where: { $0.way == host.way && $0.isRouted }) else {
                return add(.fail(ask.id, .noRoute), after: 0.0001)
            }
            sendSYN(ask.id, host.address, 0)
        case .name(_, let server):
            guard let server else {
                runs[ask.id] = run
                return add(.fail(ask.id, .noAddress(.nameServerFailed)), after: 0.0001)
            }
            run.addresses = [server]
            runs[ask.id] = run
            guard line(to: server) != nil else { return add(.fail(ask.id, .noRoute), after: 0.0001) }
            sendName(ask.id, 0)
        }
    }

    /// The line that packets to an address leave by: the most particular one.
    func line(to address: IPAddress) -> Int? {
        let fit = lines.indices.filter { lines[$0].isRouted && lines[$0].way.family == address.family }
        return fit.first { index in lines[index].prefixes.contains { $0.contains(address) } }
            ?? fit.first { lines[$0].reachesAll }
    }

    private func line(of id: Ask.ID, _ address: IPAddress) -> Int? {
        if case .touch(let host, _)? = runs[id]?.ask.question {
            return lines.firstIndex { $0.way == host.way && $0.isRouted }
        }
        return line(to: address)
    }

    /// Whether a packet gets through a line now, one way.
    private mutating func passes(_ index: Int) -> Bool {
        let line = lines[index]
        if line.isCut { return false }
        if line.flapping > 0 {
            let phase = Double(now.nanoseconds % 1_000_000_000_000) / 1e9 * line.flapping
            if phase - phase.rounded(.down) >= 0.5 { return false }
        }
        if line.loss > 0, Double.random(in: 0..<1, using: &random) < line.loss { return false }
        guard let below = line.below else { return true }
        return passes(below)
    }

    /// How long until an answer is back, in seconds; nil where it does not come.
    private mutating func trip(_ index: Int, _ latency: Double) -> Double? {
        let out = passes(index)
        var wait = 0.0
        if lines[index].sleeps {
            let idle = now.nanoseconds &- lines[index].lastActive.nanoseconds
            if idle > 6_000_000_000, lines[index].awakeAt < now {
                lines[index].awakeAt = now.advanced(by: .seconds(Double.random(in: 0.3..<1.9, using: &random)))
            }
            lines[index].lastActive = now
            if lines[index].awakeAt > now {
                wait = Double(lines[index].awakeAt.nanoseconds - now.nanoseconds) / 1e9
            }
        }
        var (factor, line) = (lines[index].latency, lines[index].below)
        while let below = line {
            factor *= lines[below].latency
            line = lines[below].below
        }
        let seconds = latency * factor * Double.random(in: 0.9..<1.25, using: &random)
        let back = lines[index].loss == 0 || Double.random(in: 0..<1, using: &random) >= lines[index].loss
        return out && back ? wait + seconds : nil
    }

    private func isCut(_ index: Int) -> Bool {
        lines[index].isCut || (lines[index].below.map { lines[$0].isCut } ?? false)
    }

    // MARK: Connections

    mutating func sendSYN(_ id: Ask.ID, _ address: IPAddress, _ attempt: Int) {
        guard let run = runs[id], run.connected == nil, !run.missed.contains(address),
            let index = line(of: id, address)
        else { return }
        if attempt == 0 {
            runs[id]?.sentAt[address] = now
            send(.sent(id, Host(address: address, way: lines[index].way)))
            guard runs[id] != nil else { return }
        }
        if attempt < 3 { add(.syn(id, address, attempt: attempt + 1), after: attempt == 0 ? 1 + jitter : 2 + jitter) }
        let server = servers[address]
        if lines[index].tells, lines[index].isCut {
            if lines[index].messages.take(at: now) { add(.told(id, address), after: lines[index].tellsAfter) }
            return
        }
        guard let latency = server?.latency ?? nameServers[address]?.latency, let time = trip(index, latency) else {
            return
        }
        if let loss = server?.loss, loss > 0, Double.random(in: 0..<1, using: &random) < loss { return }
        let portal = portal(index)
        if portal != .none, nameServers[address] == nil {
            let isPlain = server?.transport == .plainHTTP
            if isPlain || portal == .forges { return add(.word(id, address, isReset: false), after: time / 4) }
            if portal == .resets { add(.word(id, address, isReset: true), after: time / 4) }
            return
        }
        switch server?.mood {
        case nil where nameServers[address]?.dropsOthers == true: break
        case nil: add(.word(id, address, isReset: true), after: time)
        case .silent?: break
        case .unreachable?: add(.told(id, address), after: time)
        case .refuses?: add(.word(id, address, isReset: true), after: time)
        default: add(.word(id, address, isReset: false), after: time)
        }
    }

    private func portal(_ index: Int) -> Line.Portal {
        lines[index].reachesAll ? lines[index].portal : .none
    }

    private var jitter: Double {
        mutating get { Double.random(in: 0..<0.012, using: &random) }
    }

    mutating func hearWord(_ id: Ask.ID, _ address: IPAddress, isReset: Bool) {
        guard let run = runs[id], run.connected == nil, let sentAt = run.sentAt[address] else { return }
        runs[id]?.connected = address
        send(.heard(id, address, after: sentAt.duration(to: now)))
        guard runs[id] != nil else { return }
        if case .touch = run.ask.question { return end(id, .expected) }
        if isReset { return end(id, .wrong(.refused)) }
        sendTrip(id, address, 1, 0)
    }

    mutating func tell(_ id: Ask.ID, _ address: IPAddress) {
        guard let run = runs[id], run.connected == nil, !run.missed.contains(address) else { return }
        runs[id]?.missed.insert(address)
        send(.missed(id, address, .told))
        guard let after = runs[id] else { return }
        if after.addresses.allSatisfy({ after.missed.contains($0) }) { end(id, .nothing) }
    }

    // MARK: Requests

    /// Sends what comes after the connection: one trip for a plain answer, three with a handshake.
    mutating func sendTrip(_ id: Ask.ID, _ address: IPAddress, _ number: Int, _ attempt: Int) {
        guard let run = runs[id], run.trips < number, let index = line(of: id, address), let server = servers[address]
        else { return }
        if attempt < 6 {
            let pause = 0.2 + server.latency * lines[index].latency
            add(.trip(id, address, number: number, attempt: attempt + 1), after: pause * Double(1 << attempt))
        }
        if server.mood == .connectsOnly, portal(index) == .none, number == trips(server) { return }
        if let time = trip(index, server.latency) { add(.back(id, address, number: number), after: time) }
    }

    private func trips(_ server: Server) -> Int { server.transport == .secure ? 3 : 1 }

    mutating func takeTrip(_ id: Ask.ID, _ address: IPAddress, _ number: Int) {
        guard let run = runs[id], run.trips < number, let server = servers[address] else { return }
        runs[id]?.trips = number
        guard number >= trips(server) else { return sendTrip(id, address, number + 1, 0) }
        let answer = answer(of: server, at: address, id)
        if answer == .expected, server.transport == .plainHTTP { date(id) }
        end(id, answer)
    }

    /// A plain answer says what time it is elsewhere.
    private mutating func date(_ id: Ask.ID) {
        guard case .probe(let target, _)? = runs[id]?.ask.question, !isClockRight || isDatedOff else { return }
        isDatedOff = !isClockRight
        send(.dated(target, offset: isClockRight ? 0 : Self.clockOffset))
    }

    /// By how many seconds a clock that is wrong would have to be put on.
    private static let clockOffset: Int64 = -400 * 86_400

    private static func untimely(_ address: IPAddress, _ offsets: ClosedRange<Int64>) -> Answer {
        .outOfTime(UntimelyCertificate(name: "\(address)", offsets: offsets))
    }

    private func answer(of server: Server, at address: IPAddress, _ id: Ask.ID) -> Answer {
        if let index = line(of: id, address), portal(index) != .none {
            return server.transport == .secure ? .untrusted : .elsewhere
        }
        if server.transport == .secure, !isClockRight, server.mood != .resets {
            return Self.untimely(address, Self.clockOffset - 1_000_000...Self.clockOffset + 1_000_000)
        }
        switch server.mood {
        case .unexpected: return .wrong(.unexpected)
        case .redirects: return .elsewhere
        case .resets: return .wrong(.unanswered)
        case .forged: return .untrusted
        case .expired: return Self.untimely(address, -5_000_000 ... -1_000_000)
        default: return .expected
        }
    }

    // MARK: Names

    mutating func sendName(_ id: Ask.ID, _ attempt: Int) {
        guard let run = runs[id], let address = run.addresses.first, let index = line(to: address),
            case .name(let name, _) = run.ask.question
        else { return }
        if attempt == 0 {
            runs[id]?.sentAt[address] = now
            send(.sent(id, Host(address: address, way: lines[index].way)))
            guard runs[id] != nil else { return }
        }
        if attempt < 2 { add(.nameSent(id, attempt: attempt + 1), after: 1 + jitter) }
        if lines[index].tells, lines[index].isCut {
            if lines[index].messages.take(at: now) { add(.told(id, address), after: lines[index].tellsAfter) }
            return
        }
        guard let server = nameServers[address], let time = trip(index, server.latency) else { return }
        if let by = server.forwardsBy, isCut(by) {
            return add(.nameBack(id, .noAddress(.nameServerFailed)), after: time + 0.05)
        }
        if let by = server.forwardsBy, lines[by].loss > 0, Double.random(in: 0..<1, using: &random) < lines[by].loss {
            // The forwarder asks again itself.
            return add(.nameBack(id, answer(of: server, name)), after: time + 0.8)
        }
        var wait = time
        if let by = server.forwardsBy { wait += 0.02 * lines[by].latency }
        if case .slow(let seconds) = server.mood { wait += seconds }
        switch server.mood {
        case .silent: return
        case .closed: guard nameServers[address]?.messages.take(at: now) == true else { return }
        default: break
        }
        add(.nameBack(id, answer(of: server, name)), after: wait)
    }

    private func answer(of server: NameServer, _ name: String) -> Answer {
        switch server.mood {
        case .fails, .refuses, .closed: return .noAddress(.nameServerFailed)
        case .denies: return .noAddress(.nameNotFound)
        case .hijacks: return .noAddress(.nameHijacked)
        case .failsFor(let names) where names.contains(name): return .noAddress(.nameServerFailed)
        case .deniesFor(let names) where names.contains(name): return .noAddress(.nameNotFound)
        default: break
        }
        guard let found = addresses[name] else { return .noAddress(.nameNotFound) }
        return .addresses(found, lifetime: .seconds(60))
    }

    mutating func takeName(_ id: Ask.ID, _ answer: Answer) {
        guard let run = runs[id], let address = run.addresses.first, let sentAt = run.sentAt[address] else { return }
        send(.heard(id, address, after: sentAt.duration(to: now)))
        end(id, answer)
    }

    // MARK: Ends

    mutating func timeOut(_ id: Ask.ID) {
        guard let run = runs[id] else { return }
        if run.connected == nil {
            for address in run.addresses where run.sentAt[address] != nil && !run.missed.contains(address) {
                send(.missed(id, address, .silent))
            }
        }
        end(id, .nothing)
    }

    mutating func end(_ id: Ask.ID, _ answer: Answer) {
        guard runs.removeValue(forKey: id) != nil else { return }
        send(.ended(id, answer))
    }
}
