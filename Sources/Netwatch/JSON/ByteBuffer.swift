/// Bytes that grow at their end. An `Array` does the same and asks at every step whether another array shares its bytes.
struct ByteBuffer: ~Copyable {
    private(set) var count = 0
    private var storage: UnsafeMutableBufferPointer<UInt8>

    init(capacity: Int) {
        storage = .allocate(capacity: capacity)
    }

    deinit {
        storage.deallocate()
    }

    var capacity: Int { storage.count }

    /// The bytes, until the next change.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: storage[..<count]) }

    /// Empties it. The place stays for what comes next, unless it is larger than that.
    mutating func removeAll(keepingUpTo capacity: Int) {
        count = 0
        guard storage.count > capacity else { return }
        storage.deallocate()
        storage = .allocate(capacity: capacity)
    }

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

    /// Appends what is written in place: so many bytes at most, and how many is what the writer returns.
    mutating func append(upTo limit: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        if storage.count - count < limit { grow(by: limit) }
        count += write(UnsafeMutableBufferPointer(rebasing: storage[count...]))
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a comma, unless an object or an array has just begun.
    mutating func separate() {
        guard count > 0 else { return }
        let last = storage[count - 1]
        if last != UInt8(ascii: "{"), last != UInt8(ascii: "[") { append(UInt8(ascii: ",")) }
    }

    /// Appends a member's key, in quotes and with its colon, after a comma where one is needed.
    mutating func append(key: StaticString) {
        let length = key.utf8CodeUnitCount
        if storage.count - count < length + 4 { grow(by: length + 4) }
        separate()
        guard let target = storage.baseAddress.map({ $0 + count }) else { return }
        target[0] = UInt8(ascii: "\"")
        (target + 1).update(from: key.utf8Start, count: length)
        target[length + 1] = UInt8(ascii: "\"")
        target[length + 2] = UInt8(ascii: ":")
        count += length + 3
    }

    private mutating func grow(by more: Int) {
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(2 * storage.count, count + more))
        _ = larger.update(fromContentsOf: bytes)
        storage.deallocate()
        storage = larger
    }
}
