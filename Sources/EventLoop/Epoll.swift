import CLinux
import Glibc
import SystemPackage

/// The `epoll(7)` instance of a loop and the `eventfd(2)` that wakes it.
final class Epoll: Sendable {
    struct Event {
        let id: UInt64
        let readiness: Readiness
    }

    private static let wakeUpID: UInt64 = 0
    /// So few fit on the stack.
    private static let eventsATurn = 64

    private let descriptor: CInt
    private let eventDescriptor: CInt

    init() throws(EventLoopError) {
        descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .setup(call: "epoll_create1", Errno(rawValue: errno)) }
        eventDescriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        // With all of the properties set deinit closes both, here and when the next line throws.
        guard eventDescriptor >= 0 else { throw .setup(call: "eventfd", Errno(rawValue: errno)) }
        try control(EPOLL_CTL_ADD, eventDescriptor, id: Self.wakeUpID, interest: .readable)
    }

    deinit {
        close(eventDescriptor)
        close(descriptor)
    }

    func add(_ watch: Watch, interest: Readiness) throws(EventLoopError) {
        try control(EPOLL_CTL_ADD, watch.descriptor, id: watch.id, interest: interest)
    }

    func modify(_ watch: Watch, interest: Readiness) throws(EventLoopError) {
        try control(EPOLL_CTL_MOD, watch.descriptor, id: watch.id, interest: interest)
    }

    func remove(_ watch: Watch) {
        // Fails only where the descriptor is closed already, and closing has removed it.
        epoll_ctl(descriptor, EPOLL_CTL_DEL, watch.descriptor, nil)
    }

    func wakeUp() {
        var one: UInt64 = 1
        // EAGAIN means that the counter is full: the wake-up is pending already.
        _ = unsafe write(eventDescriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Waits for events until a time (nil: for ever), and hands them over. An interruption by a signal counts as no event.
    ///
    /// - Parameter wakeUp: Called once before the first of them, if there is any or not; where it says no, none is handed
    ///   over.
    func wait(until deadline: MonotonicTime?, wakeUp: () -> Bool, _ body: (Event) -> Void) {
        unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.eventsATurn) { buffer in
            let count = unsafe wait(until: deadline, into: buffer)
            guard wakeUp() else { return }
            for index in 0..<max(0, Int(count)) {
                if let event = unsafe event(buffer[index]) { body(event) }
            }
        }
    }

    private func wait(until deadline: MonotonicTime?, into buffer: UnsafeMutableBufferPointer<epoll_event>) -> CInt {
        let left = deadline.map { Self.timeLeft(until: $0, from: .now) }
        let count = unsafe wait(left, into: buffer)
        // Linux before 5.11 does not know the call, and older containers' filters refuse what they do not know.
        guard count < 0, errno == ENOSYS || errno == EPERM else { return count }
        return unsafe epoll_wait(descriptor, buffer.baseAddress, CInt(buffer.count), left?.wholeMilliseconds ?? -1)
    }

    /// How long to sleep until a time that may be further off than a duration between two points can tell. A day is as good as
    /// for ever then: the loop looks at its timers again.
    static func timeLeft(until deadline: MonotonicTime, from now: MonotonicTime) -> Duration {
        guard deadline.nanoseconds <= UInt64(Int64.max) else { return .seconds(86_400) }
        return max(.zero, now.duration(to: deadline))
    }

    private func wait(_ left: Duration?, into buffer: UnsafeMutableBufferPointer<epoll_event>) -> CInt {
        guard let left = left?.components else {
            return unsafe epoll_pwait2(descriptor, buffer.baseAddress, CInt(buffer.count), nil, nil)
        }
        var timeout = timespec(tv_sec: Int(left.seconds), tv_nsec: Int(left.attoseconds / 1_000_000_000))
        return unsafe epoll_pwait2(descriptor, buffer.baseAddress, CInt(buffer.count), &timeout, nil)
    }

    private func event(_ event: epoll_event) -> Event? {
        guard unsafe event.data.u64 == Self.wakeUpID else {
            return unsafe Event(id: event.data.u64, readiness: Readiness(rawValue: event.events))
        }
        var count: UInt64 = 0
        _ = unsafe read(eventDescriptor, &count, MemoryLayout<UInt64>.size)
        return nil
    }

    private func control(
        _ operation: CInt, _ target: CInt, id: UInt64, interest: Readiness
    ) throws(EventLoopError) {
        var event = unsafe epoll_event(events: interest.rawValue, data: epoll_data_t(u64: id))
        guard unsafe epoll_ctl(descriptor, operation, target, &event) == 0 else {
            throw .watch(descriptor: target, Errno(rawValue: errno))
        }
    }
}

extension Duration {
    /// Rounded up, so that what is due at the end of it is due when it is over.
    fileprivate var wholeMilliseconds: CInt {
        let (seconds, attoseconds) = (self + .nanoseconds(999_999)).components
        // A day is as good as for ever: the loop looks at its timers again then.
        return CInt(min(seconds, 86_400) * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
