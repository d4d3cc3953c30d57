/// Bytes that grow at their end. An `Array` does the same and asks at every step whether another array shares its bytes.
@safe
struct ByteBuffer: ~Copyable {
    private(set) var count = 0
    private var storage: UnsafeMutableBufferPointer<UInt8>

    init(capacity: Int) {
        unsafe storage = .allocate(capacity: capacity)
    }

    deinit {
        unsafe storage.deallocate()
    }

    /// The bytes, until the next change.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self) borrowing get { unsafe storage.span.extracting(first: count) }
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if unsafe count == storage.count { grow(by: 1) }
        unsafe storage[count] = byte
        count += 1
    }

    mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(from: $0.baseAddress, count: $0.count) }
    }

    mutating func append(_ text: StaticString) {
        unsafe append(from: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// Appends what is written in place: so many bytes at most.
    mutating func append(upTo limit: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        if unsafe storage.count - count < limit { grow(by: limit) }
        let place = unsafe UnsafeMutableBufferPointer(rebasing: storage[count..<count + limit])
        var span = unsafe OutputSpan(buffer: place, initializedCount: 0)
        write(&span)
        unsafe count += span.finalize(for: place)
    }

    /// Appends a number with so many digits, zeros in front.
    mutating func append(_ value: UInt64, digits: Int) {
        if unsafe storage.count - count < digits { grow(by: digits) }
        var rest = value
        for place in stride(from: count + digits - 1, through: count, by: -1) {
            unsafe storage[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += digits
    }

    /// Appends a comma, unless an object or an array has just begun.
    @inline(__always)
    mutating func separate() {
        guard count > 0 else { return }
        let last = unsafe storage[count - 1]
        if last != UInt8(ascii: "{"), last != UInt8(ascii: "[") { append(UInt8(ascii: ",")) }
    }

    /// Appends a member's key, in quotes and with its colon, after a comma where one is needed.
    mutating func append(key: StaticString) {
        let length = key.utf8CodeUnitCount
        if unsafe storage.count - count < length + 4 { grow(by: length + 4) }
        separate()
        guard let target = unsafe storage.baseAddress.map({ unsafe $0 + count }) else { return }
        unsafe target[0] = UInt8(ascii: "\"")
        unsafe (target + 1).update(from: key.utf8Start, count: length)
        unsafe target[length + 1] = UInt8(ascii: "\"")
        unsafe target[length + 2] = UInt8(ascii: ":")
        count += length + 3
    }

    private mutating func append(from source: UnsafePointer<UInt8>?, count more: Int) {
        if unsafe storage.count - count < more { grow(by: more) }
        guard let source = unsafe source, let target = unsafe storage.baseAddress else { return }
        unsafe (target + count).update(from: source, count: more)
        count += more
    }

    private mutating func grow(by more: Int) {
        let larger = unsafe UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(2 * storage.count, count + more))
        _ = unsafe larger.update(fromContentsOf: storage[..<count])
        unsafe storage.deallocate()
        unsafe storage = larger
    }
}
