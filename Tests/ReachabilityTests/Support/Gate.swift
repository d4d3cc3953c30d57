import Glibc

/// Holds a thread up until it is opened: a pipe that nothing is written to.
final class Gate: Sendable {
    private let ends: (read: CInt, write: CInt)

    init() {
        var descriptors: [CInt] = [-1, -1]
        pipe(&descriptors)
        ends = (descriptors[0], descriptors[1])
    }

    deinit {
        close(ends.read)
    }

    /// Blocks the calling thread until the gate is open.
    func wait() {
        var byte: UInt8 = 0
        _ = read(ends.read, &byte, 1)
    }

    func open() {
        close(ends.write)
    }
}
