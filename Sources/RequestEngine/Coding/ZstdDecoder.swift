internal import CCurl

/// Undoes `zstd` (RFC 8878), of which several frames may stand one behind the other.
@safe
final class ZstdDecoder: ContentDecoder {
    private(set) var isAtEnd = false
    private let decoder: UnsafeMutableRawPointer
    private let step: netwatch_zstd_step

    /// Nil where zstd is not there.
    init?() {
        guard let step = unsafe netwatch_zstd_find_step(), let decoder = unsafe netwatch_zstd_create() else {
            return nil
        }
        unsafe self.step = step
        unsafe self.decoder = decoder
    }

    deinit {
        unsafe netwatch_zstd_destroy(decoder)
    }

    func decode(_ input: Span<UInt8>, into output: inout OutputSpan<UInt8>) throws(ContentDecodingError) -> Int {
        let before = output.count
        var taken = 0
        // To go on at the end of a frame without a byte would begin another.
        while !(isAtEnd && taken == input.count) {
            let rest = input.extracting(droppingFirst: taken)
            let (result, used) = unpack(rest, into: &output)
            guard netwatch_zstd_is_error(result) == 0 else {
                throw ContentDecodingError("it is not in the format of zstd")
            }
            taken += used
            isAtEnd = result == 0
            let isStuck = used == 0 && output.count == before
            if output.count > before || isStuck || taken == input.count { break }
        }
        return taken
    }

    /// What the library says, and how much of the input it has used.
    private func unpack(_ input: Span<UInt8>, into output: inout OutputSpan<UInt8>) -> (result: Int, used: Int) {
        unsafe input.withUnsafeBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output, count in
                var source = unsafe netwatch_zstd_input(bytes: input.baseAddress, count: input.count, position: 0)
                var target = unsafe netwatch_zstd_output(
                    bytes: output.baseAddress, count: output.count, position: count)
                let result = unsafe step(decoder, &target, &source)
                count = unsafe target.position
                return unsafe (result, source.position)
            }
        }
    }
}
