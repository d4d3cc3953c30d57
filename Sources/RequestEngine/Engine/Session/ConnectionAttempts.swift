import EventLoop
import Glibc
import NetworkAddress
import SystemPackage

/// The connections under way that are watched, until there is a word of their hosts.
///
/// libcurl tells of a socket before it connects, and of the end of a transfer long after its connection stood; a socket whose
/// connection fails it closes unsaid. So each is held by a second descriptor, and what the kernel knows of it is asked when
/// libcurl begins to wait for it, when something has happened to it, and when libcurl has done with it.
final class ConnectionAttempts {
    private struct Attempt {
        let transfer: Transfer
        let observer: any ConnectionObserver
        let address: IPAddress
        let port: UInt16
        let start: MonotonicTime
        /// What libcurl gives it at least.
        let patience: Duration
        /// The second descriptor.
        let socket: CInt
        /// Whether the observer knows of it; nil before anything was sent.
        var isKnown: Bool?

        /// Why nothing has come. An ICMP message that comes while the socket connects does not end that: it is told once, mostly
        /// to libcurl, which gives up long before its time then.
        var silence: ConnectionMiss {
            let wasTold = HandshakeState.hasError(socket) || start.duration(to: .now) < patience
            return wasTold ? .told : .silent
        }
    }

    private var attempts: [CInt: Attempt] = [:]
    /// Those that have failed without a word. libcurl finds out why.
    private var failed: [Attempt] = []

    deinit {
        for attempt in attempts.values { Glibc.close(attempt.socket) }
    }

    /// A socket was opened, which is to be connected at once.
    func open(_ descriptor: CInt, for transfer: Transfer) {
        close(descriptor)
        guard let observer = transfer.request.connections, let (address, port) = transfer.attempted else { return }
        let socket = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard socket >= 0 else { return }
        attempts[descriptor] = Attempt(
            transfer: transfer, observer: observer, address: address, port: port, start: .now,
            patience: Self.patience(of: transfer), socket: socket)
        transfer.attempts.append(descriptor)
    }

    /// Something may have happened to a socket.
    func look(at descriptor: CInt) {
        guard !attempts.isEmpty, let attempt = attempts[descriptor] else { return }
        settle(descriptor, attempt)
    }

    /// libcurl has done with a socket.
    func close(_ descriptor: CInt) {
        guard !attempts.isEmpty, let attempt = attempts[descriptor] else { return }
        // The connection that has won has the others closed, and is perhaps not known to stand yet.
        for other in attempt.transfer.attempts where other != descriptor {
            if let rival = attempts[other], rival.transfer === attempt.transfer { settle(other, rival) }
        }
        guard settle(descriptor, attempt) == .connecting else { return }
        let isAbandoned = attempt.transfer.isGivenUp || attempt.transfer.hasConnected
        let isKnown = attempts[descriptor]?.isKnown == true
        let miss = attempt.silence
        forget(descriptor, attempt)
        if isKnown { attempt.observer.missed(attempt.address, isAbandoned ? .abandoned : miss) }
    }

    /// A transfer is over.
    func end(_ transfer: Transfer) {
        for descriptor in transfer.attempts where attempts[descriptor]?.transfer === transfer { close(descriptor) }
    }

    /// Tells of what has failed, once libcurl has found out why.
    func settleFailures() {
        guard !failed.isEmpty else { return }
        for attempt in failed {
            let isTimeOut = attempt.transfer.easy.lastErrno == .timedOut
            attempt.observer.missed(attempt.address, isTimeOut ? .silent : .told)
        }
        failed = []
    }

    @discardableResult
    private func settle(_ descriptor: CInt, _ attempt: Attempt) -> HandshakeState {
        var attempt = attempt
        let state = HandshakeState(of: attempt.socket)
        if attempt.isKnown == nil, state != .unsent {
            let isKnown = attempt.observer.connecting(to: attempt.address, port: attempt.port, at: attempt.start)
            attempt.isKnown = isKnown
            attempts[descriptor]?.isKnown = isKnown
        }
        guard state != .connecting else { return state }
        forget(descriptor, attempt)
        if state == .connected { attempt.transfer.hasConnected = true }
        guard attempt.isKnown == true else { return state }
        if state == .failed {
            failed.append(attempt)
        } else {
            let delay = attempt.start.duration(to: .now)
            attempt.observer.heard(attempt.address, after: delay, isRefusal: state == .refused)
        }
        return state
    }

    /// How long libcurl waits for a connection at least: with more addresses to come, half of the time that is left.
    private static func patience(of transfer: Transfer) -> Duration {
        transfer.settings.options.timeouts.untilConnected.map { max(.zero, ($0 - transfer.clock.elapsed) / 2) }
            ?? .seconds(1)
    }

    private func forget(_ descriptor: CInt, _ attempt: Attempt) {
        attempts[descriptor] = nil
        Glibc.close(attempt.socket)
    }
}
