internal import EventLoop
internal import Glibc
internal import NetworkAddress
internal import SystemPackage

/// Whether it is this host itself that refuses or drops what a probe sends. The rules can be read by root only; their work
/// shows in the kernel's counters, which every user may read.
struct OwnFilter {
    private let interface: String?
    private let loop: EventLoop

    private static let connections = 8
    /// Enough for three that nothing disturbs, as another look of the same explanation does.
    private static let tries = 12

    /// - Parameter interface: What it is asked about leaves by; nil for what the route says.
    init(by interface: String?, _ loop: EventLoop) {
        self.interface = interface
        self.loop = loop
    }

    /// What the kernel says at once to an empty datagram, which is let out or not as anything is; nil where it takes it.
    ///
    /// A filter that drops what this host sends has sendto(2) fail with EPERM, where a connection just waits.
    func refusal(of address: IPAddress?, port: UInt16) -> Errno? {
        guard let address else { return nil }
        do throws(Errno) {
            let socket = try ProbeSocket(address.family, type: .datagram, protocol: 0)
            if let interface, (try? socket.bind(to: interface)) == nil { return nil }
            try socket.connect(to: address, port: port)
            guard send(socket.descriptor, nil, 0, CInt(MSG_NOSIGNAL | MSG_DONTWAIT)) < 0 else { return nil }
            throw Errno(rawValue: errno)
        } catch {
            return error == .notPermitted ? error : nil
        }
    }

    /// Whether a refusal comes from this host: then each try moves the loopback's counter, by which the refusal comes, and
    /// nothing moves it in between. Nil where too much else went on to tell.
    ///
    /// - Parameter needed: After how many of the tries nothing may move it: others use the loopback, too.
    func refuses(_ address: IPAddress, port: UInt16, tries: Int = tries, quiet needed: Int = 3) async -> Bool? {
        var (quiet, unanswered) = (0, 0)
        for _ in 0..<tries {
            guard let before = KernelCounter.loopbackPackets else { return nil }
            let start = MonotonicTime.now
            let isAnswered = await tryToConnect(address, port)
            guard let after = KernelCounter.loopbackPackets else { return nil }
            guard (try? await loop.sleep(for: start.duration(to: .now))) != nil else { return nil }
            switch (isAnswered, after != before) {
            case (true, false): return false
            case (true, true): quiet += KernelCounter.loopbackPackets == after ? 1 : 0
            case (false, _): unanswered += 1
            }
            if quiet == needed || unanswered > Self.mostUnanswered { break }
        }
        return quiet >= needed ? true : nil
    }

    /// The kernel tells of no more than so many refusals by ICMP in a second (`icmp_msgs_per_sec`): while many
    /// targets are rejected a try may get none.
    private static let mostUnanswered = 2

    /// Sends a SYN and waits a moment for its refusal.
    ///
    /// - Returns: Whether that came.
    private func tryToConnect(_ address: IPAddress, _ port: UInt16) async -> Bool {
        guard let socket = try? ProbeSocket(connectingTo: address, port: port, by: interface) else { return true }
        let end = MonotonicTime.now.advanced(by: .milliseconds(20))
        if case .ready = await ReadinessWait(loop: loop).outcome(socket, .writable, until: end) { return true }
        // A busy loop may see the end of the wait before what came in it.
        var entry = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&entry, 1, 0) == 1
    }

    /// What of connections to a silent host this host itself drops; nil where that was not seen.
    ///
    /// It waits first, because most targets answer, and then this is cancelled.
    func drops(
        to address: IPAddress, port: UInt16, after delay: Duration, within timeout: Duration
    ) async -> OwnDrops? {
        let arrivedBefore = KernelCounter.filteredArrivals(address.family)
        guard timeout - delay >= Self.secondSegment, (try? await loop.sleep(for: delay)) != nil,
            let unsent = KernelCounter.failedRetransmissions
        else { return nil }
        let arrived = KernelCounter.filteredArrivals(address.family)
        let sockets = (0..<Self.connections).compactMap { _ in
            try? ProbeSocket(connectingTo: address, port: port, by: interface)
        }
        guard sockets.count == Self.connections, (try? await loop.sleep(for: Self.secondSegment)) != nil else {
            return nil
        }
        return withExtendedLifetime(sockets) {
            dropsOnSending(since: unsent) ?? dropsOnArrival(since: arrived, usual: arrivedBefore, address.family)
        }
    }

    /// A network that swallows segments has none fail: a filter of this host's own all. Those of other programs may be among
    /// them: each of ours has to be, too.
    private func dropsOnSending(since before: UInt64) -> OwnDrops? {
        guard let after = KernelCounter.failedRetransmissions, after &- before >= UInt64(Self.connections) else {
            return nil
        }
        return .segments(after &- before)
    }

    /// Each connection asks twice, and each question is answered. What a filter drops of others' packets, as of neighbours'
    /// announcements, comes at other times, too.
    private func dropsOnArrival(since before: Int64?, usual: Int64?, _ family: AddressFamily) -> OwnDrops? {
        guard let usual, let before, let after = KernelCounter.filteredArrivals(family) else { return nil }
        guard before &- usual <= Self.connections / 2, after &- before >= Self.connections * 2 else { return nil }
        return .answers(after &- before)
    }

    /// The kernel sends a SYN again a second after the first (RFC 6298).
    private static let secondSegment = Duration.milliseconds(1250)
}

/// What a filter of this host's own drops.
enum OwnDrops: Hashable, Sendable {
    /// So many segments could not be sent a second time.
    case segments(UInt64)
    /// So many packets came, and went no further.
    case answers(Int64)
}
