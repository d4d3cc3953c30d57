import CLinux
import EventLoop
import Glibc

/// A connection to one of several brokers, kept up by a thread of its own: the library waits in look-ups of names.
package final class MQTTClient: Sendable {
    /// How many messages may be on their way at a time.
    package static let mostInFlight = 20

    private let waker = Waker()
    private let ended: Ended

    /// Whether the thread has ended.
    private final class Ended: Sendable {
        let descriptor = eventfd(0, CInt(EFD_CLOEXEC))

        deinit {
            if descriptor >= 0 { close(descriptor) }
        }

        func tell() {
            var one: UInt64 = 1
            if descriptor >= 0 { _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size) }
        }

        func wait(milliseconds: CInt) {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if descriptor >= 0 { _ = unsafe poll(&entry, 1, milliseconds) }
        }
    }

    private final class Launch {
        let settings: MQTTSettings
        let delegate: any MQTTDelegate
        let waker: Waker
        let ended: Ended

        init(_ settings: MQTTSettings, _ delegate: any MQTTDelegate, _ waker: Waker, _ ended: Ended) {
            self.settings = settings
            self.delegate = delegate
            self.waker = waker
            self.ended = ended
        }
    }

    /// Starts the thread.
    ///
    /// - Throws: ``MQTTFailure/library(_:)`` where there is none to be had.
    package init(_ settings: MQTTSettings, delegate: any MQTTDelegate) throws(MQTTFailure) {
        ended = Ended()
        let argument = unsafe Unmanaged.passRetained(Launch(settings, delegate, waker, ended))
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe MQTTClient.main(Unmanaged<Launch>.fromOpaque(argument).takeRetainedValue())
                return nil
            }, unsafe argument.toOpaque())
        guard result == 0 else {
            unsafe argument.release()
            throw .library("the system gives no thread")
        }
        pthread_detach(thread)
    }

    deinit {
        waker.wake(.stop)
    }

    /// There is something to send: the delegate is asked for it. From any thread, without waiting.
    package func wake() { waker.wake(.send) }

    /// The way to the brokers is another one: the next attempt does not wait. From any thread, without waiting.
    package func retryNow() { waker.wake(.retry) }

    /// Ends the connection and the thread.
    ///
    /// - Parameter limit: How long to wait for that. A thread that looks up a name is left to itself then.
    package func stop(within limit: Duration) {
        waker.wake(.stop)
        ended.wait(milliseconds: milliseconds(limit))
    }

    private static func main(_ launch: Launch) {
        unsafe pthread_setname_np(pthread_self(), "netwatch-mqtt")
        if launch.settings.goesLast { ThreadScheduling.goLast() }
        MosquittoLibrary.prepare()
        var rotation = BrokerRotation(launch.settings)
        // The brokers whose first address did not lead to them: they are tried by IPv4, and by any address by turns.
        var onlyIPv4: Set<Int> = []
        var wasOvertaken = false
        while !launch.waker.isStopping {
            let broker = launch.settings.brokers[rotation.index]
            let session = MQTTSession(
                broker, launch.settings, launch.delegate, launch.waker,
                isOnlyIPv4: onlyIPv4.contains(rotation.index), mayBeOvertaken: !wasOvertaken)
            let failure = session.run()
            guard let failure, !launch.waker.isStopping else { break }
            wasOvertaken = session.isOvertaken
            if wasOvertaken {
                rotation.forgive()
                continue
            }
            launch.delegate.failed(failure)
            if session.standingTime == nil, !broker.host.contains(":") {
                onlyIPv4.formSymmetricDifference([rotation.index])
            }
            let pause = rotation.fail(after: session.standingTime, chance: .random(in: 0...1))
            if wait(pause, launch.waker) { rotation.forgive() }
        }
        launch.ended.tell()
    }

    /// Whether the wait was cut short because the way has changed.
    private static func wait(_ pause: Duration, _ waker: Waker) -> Bool {
        let end = MonotonicTime.now.advanced(by: pause)
        while true {
            let requests = waker.take()
            let rest = MonotonicTime.now.duration(to: end)
            guard !requests.contains(.retry) else { return true }
            guard !requests.contains(.stop), rest > .zero else { return false }
            _ = waker.wait(milliseconds: milliseconds(rest))
        }
    }
}

/// A time for poll(2), rounded up, an hour at most.
func milliseconds(_ time: Duration) -> CInt {
    let (seconds, attoseconds) = min(max(time, .zero), .seconds(3600)).components
    return CInt(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
}
