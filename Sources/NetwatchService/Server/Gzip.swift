import CZlib

/// Bytes in gzip's form (RFC 1952).
enum Gzip {
    /// Fast, and within a few percent of the best for JSON and metrics.
    private static let level: CInt = 4

    /// The bytes compressed; nil where there is no memory for it.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard netwatch_gzip_begin(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(clamping: input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(clamping: output.count)
                return deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : nil
            }
        }
        return count.map { Array(output[..<$0]) }
    }
}
