import Glibc

/// Keeps a second service from writing to the same file. It ends with the process, whatever ends that.
final class HistoryLock: Sendable {
    private let name: String
    private let descriptor: CInt

    init(_ path: String) throws(HistoryError) {
        let name = path + ".lock"
        let descriptor = unsafe Glibc.open(name, O_CREAT | O_RDWR | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw unsafe .unusable(path: name, reason: String(cString: strerror(errno))) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .inUse(path: path)
        }
        // Not before: an initializer that throws with all of its properties set has deinit close the descriptor once more, which
        // is another's by then.
        self.name = name
        self.descriptor = descriptor
    }

    /// Whether its file is still where another service looks for it.
    var isInPlace: Bool {
        var (own, there) = (stat(), stat())
        return unsafe fstat(descriptor, &own) == 0 && lstat(name, &there) == 0 && own.st_dev == there.st_dev
            && own.st_ino == there.st_ino
    }

    deinit {
        // A child that is being started has a copy of the descriptor until it executes: closing alone would leave it the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
