import CTestNamespace
public import EventLoop
import Glibc
import Synchronization
import SystemPackage

extension EventLoop {
    /// Takes every capability from the loop's thread, and makes it that of the user "nobody", before anything that is
    /// scheduled after this.
    ///
    /// Whatever runs on the loop then does so unprivileged, and the test's other threads can go on to change networks.
    public func dropPrivileges() {
        schedule(after: .zero) {
            let failure = netwatch_test_drop_privileges()
            precondition(failure == 0, "capset: \(Errno(rawValue: failure))")
        }
    }

    /// The lines of `/proc/thread-self/status` on the loop's thread.
    public func threadStatus() async -> String {
        await withCheckedContinuation { continuation in
            schedule(after: .zero) {
                var text: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 4096)
                let file = open("/proc/thread-self/status", O_RDONLY | O_CLOEXEC)
                while case let count = read(file, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
                close(file)
                continuation.resume(returning: String(decoding: text, as: UTF8.self))
            }
        }
    }
}
