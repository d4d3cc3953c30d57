internal import CCurl

/// Undoes `br` (RFC 7932).
final class BrotliDecoder: ContentDecoder {
    private(set) var isAtEnd = false
    private let decoder: UnsafeMutableRawPointer
    private let step: netwatch_brotli_step

    /// Nil where brotli is not there.
    init?() {
        guard let step = netwatch_brotli_find_step(), let decoder = netwatch_brotli_create() else { return nil }
        self.step = step
        self.decoder = decoder
    }

    deinit {
        netwatch_brotli_destroy(decoder)
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        guard !isAtEnd else {
            guard input.isEmpty else { throw ContentDecodingError("there are bytes behind its end") }
            return 0
        }
        var (inputCount, room) = (input.count, output.count)
        var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var free = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let result = step(decoder, &inputCount, &next, &room, &free, nil)
        input = UnsafeRawBufferPointer(rebasing: input.suffix(inputCount))
        guard result != 0 else { throw ContentDecodingError("it is not in the format of brotli") }
        isAtEnd = result == 1
        let written = output.count - room
        guard written > 0 || input.isEmpty else { throw ContentDecodingError("there are bytes behind its end") }
        return written
    }
}
