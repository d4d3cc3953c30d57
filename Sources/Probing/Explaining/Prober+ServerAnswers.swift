internal import Connectivity
internal import EventLoop
internal import Glibc
internal import NetworkAddress
internal import Resolver
internal import SystemPackage

extension Prober {
    /// How long a name server has, in all: each is asked twice.
    private static let serverTime = Duration.milliseconds(1200)

    /// Asks each name server by itself, at one time; at most three.
    func serverAnswers(_ host: String, _ servers: [NameServer], _ probe: Probe) async -> [ServerAnswer] {
        let servers = Array(servers.prefix(3))
        let asked = servers.map { server in Task { await serverAnswer(host, server, probe) } }
        var answers: [ServerAnswer] = []
        for answer in asked { answers.append(await answer.value) }
        return answers
    }

    private func serverAnswer(_ host: String, _ server: NameServer, _ probe: Probe) async -> ServerAnswer {
        let deadline = MonotonicTime.now.advanced(by: Self.serverTime)
        let other = Task { await self.outcome(of: Question(host, .ipv6), server, probe, until: deadline) }
        let outcome = await outcome(of: Question(host), server, probe, until: deadline)
        var answer = ServerAnswer(server: server, outcome: outcome)
        if outcome == .silent, case .code = await other.value { answer.answersOtherFamily = true }
        other.cancel()
        guard outcome == .code(ServerAnswer.serverFailure) else { return answer }
        let unchecked = await self.outcome(of: Question(host, checks: false), server, probe, until: deadline)
        answer.answersUnchecked = unchecked == .code(0)
        return answer
    }

    private func outcome(
        of question: Question?, _ server: NameServer, _ probe: Probe, until deadline: MonotonicTime
    ) async -> ServerAnswer.Outcome {
        guard let question else { return .silent }
        do throws(Errno) {
            let socket = try ProbeSocket(server.address.family, type: CInt(SOCK_DGRAM.rawValue), protocol: 0)
            if let interface = probe.interface ?? server.zoneIndex.flatMap(name(of:)) { try socket.bind(to: interface) }
            try socket.connect(to: server.address, port: server.port)
            let half = MonotonicTime.now.advanced(by: MonotonicTime.now.duration(to: deadline) / 2)
            for deadline in [half, deadline] {
                try socket.send(question.bytes)
                var isReady = true
                while isReady {
                    let outcome = await ReadinessWait(loop: loop).outcome(socket, .readable, until: deadline)
                    if case .ready = outcome { isReady = true } else { isReady = false }
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

/// A question for a name's addresses of one family, as a message of its own (RFC 1035, section 4).
private struct Question {
    let bytes: [UInt8]

    /// Nil for what cannot be asked for.
    init?(_ host: String, _ family: AddressFamily = .ipv4, checks: Bool = true) {
        let id = UInt16.random(in: .min ... .max)
        var bytes: [UInt8] = [UInt8(id >> 8), UInt8(id & 0xFF), 0x01, checks ? 0 : 0x10, 0, 1, 0, 0, 0, 0, 0, 0]
        for label in host.split(separator: ".") {
            guard 1...63 ~= label.utf8.count else { return nil }
            bytes.append(UInt8(label.utf8.count))
            bytes += label.utf8
        }
        guard bytes.count < 266 else { return nil }
        self.bytes = bytes + [0, 0, family == .ipv4 ? 1 : 28, 0, 1]
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
