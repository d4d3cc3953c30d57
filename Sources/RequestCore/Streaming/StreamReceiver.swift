import RequestEngine

/// Passes a body on to the reader of the stream.
final class StreamReceiver: BodyReceiver {
    private let buffer: BodyStreamBuffer
    private let resume: @Sendable () -> Void

    init(_ buffer: BodyStreamBuffer, resume: @escaping @Sendable () -> Void) {
        self.buffer = buffer
        self.resume = resume
    }

    func begin(_ head: ResponseHead, expecting count: Int) -> RequestError.Reason? {
        buffer.begin(head, resume: resume)
        return nil
    }

    func receive(_ bytes: Span<UInt8>) -> BodyDisposition {
        buffer.write(bytes) ? .taken : .paused
    }
}

extension BodyStreamBuffer: BodyOutlet {
    var bufferSize: Int { 128 << 10 }
    var sampleLimit: Int { 1 << 20 }
    var isBeyondRecall: Bool { hasHead }

    func makeReceiver(resume: @escaping @Sendable () -> Void) -> any BodyReceiver {
        StreamReceiver(self, resume: resume)
    }
}
