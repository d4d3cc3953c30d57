import EventLoop

/// What libcurl waits for, as watches and one timer of the loop.
///
/// Called in the middle of libcurl's work, it only tells the loop; the loop's answer enters the pool in a later turn.
final class WakeUps {
    private let loop: EventLoop
    private let enter: ConnectionPool.Enter
    private var watches: [CInt: Watch] = [:]
    private var timer: Timer?

    init(loop: EventLoop, enter: @escaping ConnectionPool.Enter) {
        self.loop = loop
        self.enter = enter
    }

    deinit {
        watches.values.forEach(loop.end)
        if let timer { loop.cancel(timer) }
    }

    func wait(for descriptor: CInt, _ interest: MultiHandle.Interest?) {
        guard let interest else { return end(descriptor) }
        do throws(EventLoopError) {
            if let watch = watches[descriptor] {
                try loop.update(watch, interest: interest.readiness)
            } else {
                watches[descriptor] = try watch(descriptor, interest.readiness)
            }
        } catch {
            // The descriptor cannot be waited for: libcurl finds out what is wrong with it when it is told so.
            loop.schedule(after: .zero) { [enter] in enter { $0.ready(descriptor, .failed) } }
        }
    }

    func setTimer(_ milliseconds: Int?) {
        if let timer { loop.cancel(timer) }
        timer = milliseconds.map { delay in
            loop.schedule(after: .milliseconds(delay)) { [enter] in enter { $0.timeOut() } }
        }
    }

    private func watch(_ descriptor: CInt, _ interest: Readiness) throws(EventLoopError) -> Watch {
        try loop.watch(descriptor, for: interest) { [enter] readiness in
            enter { $0.ready(descriptor, readiness) }
        }
    }

    private func end(_ descriptor: CInt) {
        if let watch = watches.removeValue(forKey: descriptor) { loop.end(watch) }
    }
}

extension MultiHandle.Interest {
    fileprivate var readiness: Readiness {
        switch self {
        case .readable: .readable
        case .writable: .writable
        case .both: [.readable, .writable]
        }
    }
}
