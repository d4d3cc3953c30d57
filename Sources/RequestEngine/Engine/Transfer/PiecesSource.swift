import EventLoop

/// A body whose pieces a task of the loop fetches, one at a time.
final class PiecesSource: BodySource {
    let count: Int64?
    private let pieces: BodyPieces
    private let loop: EventLoop
    private let resume: @Sendable () -> Void
    private var feed: (pipe: BodyPipe, task: Task<Void, Never>)?
    private var sent: Int64 = 0
    /// Whether the transfer is made to go on now and then.
    private var isResuming = false

    init(length: Int64?, _ pieces: BodyPieces, loop: EventLoop, resume: @escaping @Sendable () -> Void) {
        count = length
        self.pieces = pieces
        self.loop = loop
        self.resume = resume
    }

    deinit {
        stop()
    }

    /// Gives no more than the length that was promised, and takes an earlier end for a failure.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodySupply {
        let remaining = count.map { $0 - sent } ?? .max
        guard remaining > 0 else { return .end }
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: remaining)))
        let supply = unsafe pipe().read(into: room)
        switch supply {
        case .bytes(let count):
            sent += Int64(count)
            return supply
        case .end where count != nil:
            return .failed(.bodyFailed("it ended \(remaining) bytes before its length"))
        case .end, .paused, .failed:
            return supply
        }
    }

    /// Begins anew: libcurl asks for nothing else.
    func seek(to offset: Int64) -> Bool {
        guard offset == 0 else { return false }
        stop()
        sent = 0
        return true
    }

    func giveUpWaiting(isEndSeen: Bool) {
        resume()
        guard !isEndSeen, !isResuming, let feed else { return }
        isResuming = true
        feed.pipe.resume(each: .milliseconds(250), on: loop)
    }

    private func pipe() -> BodyPipe {
        if let feed { return feed.pipe }
        let pipe = BodyPipe(resume: resume)
        let task = Task(executorPreference: loop) { [pieces] in
            do {
                try await pieces.give { await pipe.write($0) }
                pipe.end(nil)
            } catch {
                pipe.end("\(error)")
            }
        }
        feed = (pipe, task)
        return pipe
    }

    private func stop() {
        feed?.pipe.close()
        feed?.task.cancel()
        feed = nil
        isResuming = false
    }
}
