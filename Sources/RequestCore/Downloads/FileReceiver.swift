import RequestEngine

/// Writes a body into a download's file, on a thread of its own: the loop receives while the disk writes, and never waits
/// for it. A disk that is slower than the network makes the transfer wait, so that memory stays bounded.
final class FileReceiver: BodyReceiver {
    private let file: PartialFile
    private let pipeline: WritePipeline
    private(set) var offset: Int64 = 0
    /// What has come since the last piece was handed over.
    private var piece: [UInt8] = []
    private var capacity = 0
    /// How much is handed over at once: enough to spare system calls, and little enough for a handful of pieces to stay in the
    /// processor's cache and to be a small part of what the process holds.
    private static let pieceSize = 128 << 10

    /// - Parameter resume: Makes the transfer go on after a pause, from any thread.
    init(_ file: PartialFile, resume: @escaping @Sendable () -> Void) {
        self.file = file
        pipeline = WritePipeline(resume: resume) { (bytes) throws(RequestError) in try file.write(bytes) }
    }

    func begin(_ head: ResponseHead, expecting count: Int) -> RequestError.Reason? {
        capacity = count > 0 ? min(count, Self.pieceSize) : Self.pieceSize
        do throws(RequestError) {
            try file.begin(head)
            offset = file.offset
            return nil
        } catch {
            return error.reason
        }
    }

    func receive(_ bytes: Span<UInt8>) -> BodyDisposition {
        if piece.count + bytes.count > Self.pieceSize {
            switch pipeline.submit(piece) {
            case .taken(let next): piece = next
            case .full: return .paused
            case .failed(let reason): return .refused(reason)
            }
        }
        if piece.capacity == 0 { piece.reserveCapacity(max(capacity, bytes.count)) }
        unsafe bytes.withUnsafeBufferPointer { unsafe piece.append(contentsOf: $0) }
        return .taken
    }

    func end(after failure: RequestError.Reason?, _ done: @escaping @Sendable (RequestError.Reason?) -> Void) {
        let rest = piece
        piece = []
        pipeline.end(rest) { [file] problem in
            if let reason = failure ?? problem {
                file.close(after: reason)
                return done(problem)
            }
            do throws(RequestError) {
                try file.finish()
                done(nil)
            } catch {
                done(error.reason)
            }
        }
    }
}

extension PartialFile: BodyOutlet {
    var bufferSize: Int { 128 << 10 }
    var sampleLimit: Int { 64 << 10 }

    func makeReceiver(resume: @escaping @Sendable () -> Void) -> any BodyReceiver {
        FileReceiver(self, resume: resume)
    }

    func conclude(_ error: RequestError) -> RequestError {
        var error = error
        error.resumeData = fail()
        return error
    }
}
