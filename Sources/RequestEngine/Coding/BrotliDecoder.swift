internal import CCurl

/// Undoes `br` (RFC 7932).
@safe
final class BrotliDecoder: ContentDecoder {
    private(set) var isAtEnd = false
    private let decoder: UnsafeMutableRawPointer
    private let step: netwatch_brotli_step

    /// Nil where brotli is not there.
    init?() {
        guard let step = unsafe netwatch_brotli_find_step(), let decoder = unsafe netwatch_brotli_create() else {
            return nil
        }
        unsafe self.step = step
        unsafe self.decoder = decoder
    }

    deinit {
        unsafe netwatch_brotli_destroy(decoder)
    }

    func decode(_ input: Span<UInt8>, into output: inout OutputSpan<UInt8>) throws(ContentDecodingError) -> Int {
        guard !isAtEnd else {
            guard input.isEmpty else { throw ContentDecodingError("there are bytes behind its end") }
            return 0
        }
        let before = output.count
        let (result, left) = unpack(input, into: &output)
        guard result != 0 else { throw ContentDecodingError("it is not in the format of brotli") }
        isAtEnd = result == 1
        guard output.count > before || left == 0 else { throw ContentDecodingError("there are bytes behind its end") }
        return input.count - left
    }

    /// What the library says (BrotliDecoderResult), and how much of the input it has left.
    private func unpack(_ input: Span<UInt8>, into output: inout OutputSpan<UInt8>) -> (result: CInt, left: Int) {
        unsafe input.withUnsafeBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output, count in
                var (left, room) = (input.count, output.count - count)
                var next = input.baseAddress
                var free = unsafe output.baseAddress.map { unsafe $0 + count }
                let result = unsafe step(decoder, &left, &next, &room, &free, nil)
                count = output.count - room
                return (result, left)
            }
        }
    }
}
