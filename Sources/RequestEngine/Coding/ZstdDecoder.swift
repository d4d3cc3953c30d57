internal import CCurl

/// Undoes `zstd` (RFC 8878), of which several frames may stand one behind the other.
final class ZstdDecoder: ContentDecoder {
    private(set) var isAtEnd = false
    private let decoder: UnsafeMutableRawPointer
    private let step: netwatch_zstd_step

    /// Nil where zstd is not there.
    init?() {
        guard let step = netwatch_zstd_find_step(), let decoder = netwatch_zstd_create() else { return nil }
        self.step = step
        self.decoder = decoder
    }

    deinit {
        netwatch_zstd_destroy(decoder)
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        // To go on at the end of a frame without a byte would begin another.
        while !(isAtEnd && input.isEmpty) {
            var source = netwatch_zstd_input(bytes: input.baseAddress, count: input.count, position: 0)
            var target = netwatch_zstd_output(bytes: output.baseAddress, count: output.count, position: 0)
            let result = step(decoder, &target, &source)
            guard netwatch_zstd_is_error(result) == 0 else {
                throw ContentDecodingError("it is not in the format of zstd")
            }
            let isStuck = source.position == 0 && target.position == 0
            input = UnsafeRawBufferPointer(rebasing: input.dropFirst(source.position))
            isAtEnd = result == 0
            if target.position > 0 || isStuck || input.isEmpty { return target.position }
        }
        return 0
    }
}
