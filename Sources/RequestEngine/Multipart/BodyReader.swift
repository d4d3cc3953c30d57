/// Gives the bytes of a body, once from its beginning to its end.
///
/// It is read on the thread of the session's event loop, so it must not wait for anything but a disk.
public protocol BodyReader {
    /// Fills the buffer as far as it can and returns how many bytes it wrote; 0 means the end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// Reads bytes from memory.
struct MemoryReader: BodyReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = Swift.min(buffer.count, rest.count)
        unsafe buffer.copyBytes(from: rest.prefix(count))
        rest.removeFirst(count)
        return count
    }
}
