import FoundationEssentials

/// Where the body of an answer goes, piece by piece.
protocol BodyReceiver: AnyObject {
    /// Learns how many bytes the answer's header announces, before the first of them comes; says why it will not take
    /// them, if it will not.
    func expect(_ count: Int) -> RequestError.Reason?
    /// Takes a piece, or says why it will not.
    func receive(_ bytes: UnsafeRawBufferPointer) -> BodyDisposition
}

/// What became of a piece of body.
enum BodyDisposition {
    case taken
    /// There is no room now: the piece is offered again once the transfer is resumed.
    case paused
    case refused(RequestError.Reason)
}

/// Keeps a body in memory, up to a limit.
final class BodyBuffer: BodyReceiver {
    private(set) var data = Data()
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func expect(_ count: Int) -> RequestError.Reason? {
        guard count <= limit else { return .bodyTooLarge(limit: limit) }
        data.reserveCapacity(min(count, 1 << 20))
        return nil
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> BodyDisposition {
        guard bytes.count <= limit - data.count else { return .refused(.bodyTooLarge(limit: limit)) }
        data.append(contentsOf: bytes)
        return .taken
    }
}
