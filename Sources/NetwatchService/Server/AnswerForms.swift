import NIOCore
import Synchronization

/// The forms of one answer, shared by all clients that get it: copied once, and compressed once where a client wants that.
final class AnswerForms: Sendable {
    /// As it is.
    let plain: ByteBuffer
    private let gzip = Mutex<ByteBuffer?>(nil)

    init(_ bytes: [UInt8]) {
        plain = ByteBuffer(bytes: bytes)
    }

    /// In gzip's form; nil where there is no memory for it.
    var compressed: ByteBuffer? {
        gzip.withLock { gzip in
            if gzip == nil { gzip = Gzip.compress(Array(plain.readableBytesView)).map { ByteBuffer(bytes: $0) } }
            return gzip
        }
    }
}
