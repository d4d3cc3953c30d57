import Glibc

extension TextEncoding {
    /// A conversion to UTF-8 by iconv(3), closed when it is let go.
    final class Converter {
        private let handle: iconv_t

        init(from name: String) throws(TextEncodingError) {
            // Not nil but (iconv_t)-1 says that there is none.
            guard let handle = iconv_open("UTF-8", name), Int(bitPattern: handle) != -1 else {
                throw .unavailable(name)
            }
            self.handle = handle
        }

        deinit {
            iconv_close(handle)
        }

        /// The whole text. What cannot be converted is replaced byte by byte.
        func convert(_ bytes: [UInt8]) -> String {
            var output: [UInt8] = []
            var offset = 0
            while offset < bytes.count {
                let (read, written, status) = step(bytes[offset...])
                output += written
                offset += read
                guard status != 0, status != E2BIG else { continue }
                output += Array("\u{FFFD}".utf8)
                offset += 1
            }
            return String(decoding: output, as: UTF8.self)
        }

        /// Converts as far as 4096 bytes of output reach; the status is 0 or an `errno`.
        private func step(_ bytes: ArraySlice<UInt8>) -> (read: Int, written: [UInt8], status: Int32) {
            var status: Int32 = 0
            var read = 0
            var input = Array(bytes.prefix(4096)).map { CChar(bitPattern: $0) }
            let written = [UInt8](unsafeUninitializedCapacity: 4096 * 4) { output, count in
                output.withMemoryRebound(to: CChar.self) { output in
                    input.withUnsafeMutableBufferPointer { input in
                        var source = input.baseAddress
                        var left = input.count
                        var target = output.baseAddress
                        var space = output.count
                        if iconv(handle, &source, &left, &target, &space) == .max { status = errno }
                        read = input.count - left
                        count = output.count - space
                    }
                }
            }
            // A character cut in two at the end of this piece is whole in the next.
            if status == EINVAL, read > 0 { status = 0 }
            return (read, written, status)
        }
    }
}
