/// Reads what the kernel or another host wrote. Every access is checked, in a release build too: a length that lies ends the
/// program, and never reads what lies behind. Inlined, because a message is read by some dozen such calls.
extension Span<UInt8> {
    /// A number or a structure of C of which any bits are a value, in the byte order of this machine.
    @inlinable
    package func load<Value: BitwiseCopyable>(_: Value.Type, at offset: Int = 0) -> Value {
        // Unsafe for a type of which some bits are no value, as an enumeration or a pointer.
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self)
    }

    @inlinable
    package func firstIndex(of byte: UInt8) -> Int? {
        indices.first { self[$0] == byte }
    }

    @inlinable
    package func starts(with prefix: [UInt8]) -> Bool {
        count >= prefix.count && prefix.indices.allSatisfy { self[$0] == prefix[$0] }
    }
}

extension [UInt8] {
    /// A copy of the bytes.
    @inlinable
    package init(_ bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }
}

extension String {
    /// A text from UTF-8. What is none is replaced (U+FFFD).
    @inlinable
    package init(decoding bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The same up to the first zero byte, or to the end where there is none.
    @inlinable
    package init(decodingToZero bytes: Span<UInt8>) {
        self.init(decoding: bytes.extracting(first: bytes.firstIndex(of: 0) ?? bytes.count))
    }

    /// A text that is put together where it is to be, from UTF-8.
    ///
    /// - Parameter limit: How many bytes there must be room for.
    @inlinable
    package init(upTo limit: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        unsafe self.init(unsafeUninitializedCapacity: limit) { place in
            var text = unsafe OutputSpan(buffer: place, initializedCount: 0)
            write(&text)
            return unsafe text.finalize(for: place)
        }
    }
}
