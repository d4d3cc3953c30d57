import EventLoop
import Glibc

/// The end of a program that cannot end in order: where the kernel gives it no more threads, what waits for one waits for ever.
enum StopDeadline {
    private static let time = Duration.seconds(20)

    /// Ends the process when so much time has passed, on the loop that was told to stop.
    static func begin(on loop: EventLoop) {
        loop.schedule(after: time) {
            StandardStreams.tell("what is under way has not ended within \(time.components.seconds) s; it is given up")
            _exit(ExitStatus.systemError.rawValue)
        }
    }
}
