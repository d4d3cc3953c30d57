import Glibc

extension TextEncoding {
    /// A conversion to UTF-8 by iconv(3), closed when it is let go.
    @safe
    final class Converter {
        private let handle: iconv_t
        /// How many bytes stand or fall together.
        private let unit: Int
        private var output: [UInt8] = []
        private var isValid = true

        init(from name: String) throws(TextEncodingError) {
            // Not nil but (iconv_t)-1 says that there is none.
            guard let handle = unsafe iconv_open("UTF-8", name), Int(bitPattern: handle) != -1 else {
                throw .unavailable(name)
            }
            unsafe self.handle = handle
            unit = name.hasPrefix("UTF-16") ? 2 : name.hasPrefix("UTF-32") ? 4 : 1
        }

        deinit {
            unsafe iconv_close(handle)
        }

        /// The whole text, and whether all of it was one. What cannot be converted is replaced unit by unit.
        func convert(_ bytes: [UInt8]) -> (text: String, isValid: Bool) {
            output = []
            isValid = true
            var input = bytes.map { CChar(bitPattern: $0) }
            unsafe input.withUnsafeMutableBufferPointer { input in
                unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { piece in
                    unsafe convert(input, through: piece)
                }
            }
            return (String(decoding: output, as: UTF8.self), isValid)
        }

        private func convert(
            _ input: UnsafeMutableBufferPointer<CChar>, through piece: UnsafeMutableBufferPointer<CChar>
        ) {
            var source = input.baseAddress
            var left = input.count
            while left > 0 {
                var target = piece.baseAddress
                var space = piece.count
                let status = unsafe iconv(handle, &source, &left, &target, &space) == -1 ? errno : 0
                unsafe output += UnsafeRawBufferPointer(
                    rebasing: UnsafeRawBufferPointer(piece)[..<(piece.count - space)])
                guard status != 0, status != E2BIG || space == piece.count else { continue }
                isValid = false
                output += Array("\u{FFFD}".utf8)
                let skipped = min(left, unit)
                unsafe source = source.map { unsafe $0 + skipped }
                left -= skipped
            }
            unsafe finish(through: piece)
        }

        /// Takes out the letter that is held back where a mark may follow it, as in windows-1258 (iconv(3)).
        private func finish(through piece: UnsafeMutableBufferPointer<CChar>) {
            var target = piece.baseAddress
            var space = piece.count
            _ = unsafe iconv(handle, nil, nil, &target, &space)
            unsafe output += UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(piece)[..<(piece.count - space)])
        }
    }
}
