internal import CCurl

/// Undoes `gzip`, of which several may stand one behind the other (RFC 1952 section 2.2), and `deflate`, which some servers
/// send with the header of RFC 1950 and some without.
@safe
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
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
    }

    deinit {
        if isReady { unsafe inflateEnd(stream) }
        unsafe stream.deallocate()
    }

    func decode(_ input: Span<UInt8>, into output: inout OutputSpan<UInt8>) throws(ContentDecodingError) -> Int {
        let before = output.count
        var taken = 0
        while true {
            if isAtEnd { taken += try beginAgain(input.extracting(droppingFirst: taken)) }
            guard !isAtEnd else { return taken }
            if !isReady { taken += try begin(input.extracting(droppingFirst: taken)) }
            guard isReady else { return taken }
            if held.isEmpty {
                taken += try inflate(input.extracting(droppingFirst: taken), &output)
            } else {
                let bytes = held
                held = []
                _ = try inflate(bytes.span, &output)
            }
            if output.count > before || (taken == input.count && held.isEmpty) { return taken }
        }
    }

    /// Goes on with what stands behind the end: another member, or nothing but zeros.
    private func beginAgain(_ input: Span<UInt8>) throws(ContentDecodingError) -> Int {
        guard let start = input.indices.first(where: { input[$0] != 0 }) else { return input.count }
        guard format == .gzip, input[start] == 0x1F else {
            throw ContentDecodingError("there are bytes behind its end")
        }
        unsafe inflateReset(stream)
        isAtEnd = false
        return start
    }

    private func begin(_ input: Span<UInt8>) throws(ContentDecodingError) -> Int {
        var taken = 0
        if format == .deflate {
            while held.count < 2, taken < input.count {
                held.append(input[taken])
                taken += 1
            }
            guard held.count == 2 else { return taken }
        }
        guard unsafe netwatch_inflate_init(stream, windowBits) == Z_OK else {
            throw ContentDecodingError("there is no memory to unpack it")
        }
        isReady = true
        return taken
    }

    /// inflateInit2(3): 15 is the largest window, 16 more the header of gzip, and less than zero none.
    private var windowBits: CInt {
        guard format == .deflate else { return 15 + 16 }
        let header = Int(held[0]) << 8 | Int(held[1])
        return held[0] & 0x0F == 8 && held[0] >> 4 <= 7 && header.isMultiple(of: 31) ? 15 : -15
    }

    private func inflate(
        _ input: Span<UInt8>, _ output: inout OutputSpan<UInt8>
    ) throws(ContentDecodingError) -> Int {
        let (code, left) = unpack(input, into: &output)
        switch code {
        case Z_OK: break
        // Nothing left to do: there was no input, or it has all been taken.
        case Z_BUF_ERROR: break
        case Z_STREAM_END: isAtEnd = true
        default:
            let reason = unsafe stream.pointee.msg.map { unsafe String(cString: $0) }
            throw ContentDecodingError(reason ?? "zlib's error \(code)")
        }
        return input.count - left
    }

    /// What the library says, and how much of the input it has left.
    private func unpack(_ input: Span<UInt8>, into output: inout OutputSpan<UInt8>) -> (code: CInt, left: Int) {
        unsafe input.withUnsafeBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output, count in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(input.count)
                unsafe stream.pointee.next_out = output.baseAddress.map { unsafe $0 + count }
                unsafe stream.pointee.avail_out = UInt32(output.count - count)
                let code = unsafe CCurl.inflate(stream, Z_SYNC_FLUSH)
                count = unsafe output.count - Int(stream.pointee.avail_out)
                return unsafe (code, Int(stream.pointee.avail_in))
            }
        }
    }
}
