import FoundationEssentials

/// Keeps a body in memory, up to a limit.
final class BodyBuffer: BodyReceiver {
    private(set) var data = Data()
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func begin(_ head: ResponseHead, expecting count: Int) -> RequestError.Reason? {
        guard count <= limit else { return .bodyTooLarge(limit: limit) }
        data.reserveCapacity(min(count, 1 << 20))
        return nil
    }

    func receive(_ bytes: Span<UInt8>) -> BodyDisposition {
        guard bytes.count <= limit - data.count else { return .refused(.bodyTooLarge(limit: limit)) }
        unsafe bytes.withUnsafeBytes { unsafe data.append(contentsOf: $0) }
        return .taken
    }
}

/// Keeps the beginning of a body, and drops the rest or does without it.
final class BodySample: BodyReceiver {
    private(set) var data = Data()
    private(set) var isCut = false
    private let limit: Int
    private let breaksOff: Bool

    /// - Parameter breaksOff: Whether the transfer ends with the limit.
    init(limit: Int, breaksOff: Bool = false) {
        self.limit = max(0, limit)
        self.breaksOff = breaksOff
    }

    func begin(_ head: ResponseHead, expecting count: Int) -> RequestError.Reason? { nil }

    func receive(_ bytes: Span<UInt8>) -> BodyDisposition {
        let piece = bytes.extracting(first: limit - data.count)
        unsafe piece.withUnsafeBytes { unsafe data.append(contentsOf: $0) }
        isCut = isCut || piece.count < bytes.count
        return isCut && breaksOff ? .enough : .taken
    }
}
