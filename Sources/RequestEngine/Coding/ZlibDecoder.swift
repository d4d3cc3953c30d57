internal import CCurl

/// Undoes `gzip`, of which several may stand one behind the other (RFC 1952 section 2.2), and `deflate`, which some servers
/// send with the header of RFC 1950 and some without.
final class ZlibDecoder: ContentDecoder {
    enum Format {
        case gzip
        case deflate
    }

    private(set) var isAtEnd = false
    private let format: Format
    private let stream: UnsafeMutablePointer<z_stream>
    private var isReady = false
    /// The first bytes of `deflate`, until its header can be told.
    private var held: [UInt8] = []

    init(_ format: Format) {
        self.format = format
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deallocate()
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        while true {
            if isAtEnd { try beginAgain(&input) }
            guard !isAtEnd else { return 0 }
            if !isReady { try begin(&input) }
            guard isReady else { return 0 }
            let written = held.isEmpty ? try inflate(&input, output) : try inflateHeld(output)
            if written > 0 || (input.isEmpty && held.isEmpty) { return written }
        }
    }

    /// Goes on with what stands behind the end: another member, or nothing but zeros.
    private func beginAgain(_ input: inout UnsafeRawBufferPointer) throws(ContentDecodingError) {
        while input.first == 0 { input = UnsafeRawBufferPointer(rebasing: input.dropFirst()) }
        guard let first = input.first else { return }
        guard format == .gzip, first == 0x1F else { throw ContentDecodingError("there are bytes behind its end") }
        inflateReset(stream)
        isAtEnd = false
    }

    private func begin(_ input: inout UnsafeRawBufferPointer) throws(ContentDecodingError) {
        if format == .deflate {
            while held.count < 2, let byte = input.first {
                held.append(byte)
                input = UnsafeRawBufferPointer(rebasing: input.dropFirst())
            }
            guard held.count == 2 else { return }
        }
        guard netwatch_inflate_init(stream, windowBits) == Z_OK else {
            throw ContentDecodingError("there is no memory to unpack it")
        }
        isReady = true
    }

    /// inflateInit2(3): 15 is the largest window, 16 more the header of gzip, and less than zero none.
    private var windowBits: CInt {
        guard format == .deflate else { return 15 + 16 }
        let header = Int(held[0]) << 8 | Int(held[1])
        return held[0] & 0x0F == 8 && held[0] >> 4 <= 7 && header.isMultiple(of: 31) ? 15 : -15
    }

    private func inflateHeld(_ output: UnsafeMutableRawBufferPointer) throws(ContentDecodingError) -> Int {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: held.count, alignment: 1)
        defer { bytes.deallocate() }
        bytes.copyBytes(from: held)
        held = []
        var input = UnsafeRawBufferPointer(bytes)
        return try inflate(&input, output)
    }

    private func inflate(
        _ input: inout UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(output.count)
        let code = CCurl.inflate(stream, Z_SYNC_FLUSH)
        input = UnsafeRawBufferPointer(rebasing: input.suffix(Int(stream.pointee.avail_in)))
        switch code {
        case Z_OK: break
        // Nothing left to do: there was no input, or it has all been taken.
        case Z_BUF_ERROR: break
        case Z_STREAM_END: isAtEnd = true
        default: throw ContentDecodingError(stream.pointee.msg.map { String(cString: $0) } ?? "zlib's error \(code)")
        }
        return output.count - Int(stream.pointee.avail_out)
    }
}
