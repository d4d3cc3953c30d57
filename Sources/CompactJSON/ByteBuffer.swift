/// Bytes that grow at their end. An `Array` does the same and asks at every step whether anybody shares it.
struct ByteBuffer: ~Copyable {
    private(set) var count = 0
    private var storage: UnsafeMutableBufferPointer<UInt8>

    init(capacity: Int) {
        storage = .allocate(capacity: capacity)
    }

    deinit {
        storage.deallocate()
    }

    /// The bytes, until the next change.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: storage[..<count]) }

    mutating func append(_ byte: UInt8) {
        if count == storage.count { grow(by: 1) }
        storage[count] = byte
        count += 1
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if storage.count - count < bytes.count { grow(by: bytes.count) }
        guard let source = bytes.baseAddress, let target = storage.baseAddress else { return }
        (target + count).update(from: source, count: bytes.count)
        count += bytes.count
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// Drops all bytes from a place on.
    mutating func truncate(to count: Int) {
        self.count = min(self.count, count)
    }

    private mutating func grow(by more: Int) {
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(2 * storage.count, count + more))
        _ = larger.update(fromContentsOf: bytes)
        storage.deallocate()
        storage = larger
    }
}
