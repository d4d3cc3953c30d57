import NetworkAddress

/// A short text put together where it is to be: each path and each cause has some. Interpolation would grow a string step
/// by step. What there is no room for is left out.
struct TextBuilder: ~Copyable {
    private let text: UnsafeMutableBufferPointer<UInt8>
    fileprivate private(set) var count = 0

    fileprivate init(_ text: UnsafeMutableBufferPointer<UInt8>) {
        self.text = text
    }

    private var rest: UnsafeMutableBufferPointer<UInt8> { UnsafeMutableBufferPointer(rebasing: text[count...]) }

    mutating func put(_ address: IPAddress) {
        guard rest.count >= IPAddress.longestText else { return }
        count += address.write(to: rest)
    }

    mutating func put(_ word: StaticString) {
        put(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    mutating func put(_ word: StaticString, _ name: String) {
        put(word)
        var name = name
        name.withUTF8 { put($0) }
    }

    mutating func put(_ number: UInt32) {
        var rest = number
        var divisor: UInt32 = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0, count < text.count {
            text[count] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / divisor)
            rest %= divisor
            divisor /= 10
            count += 1
        }
    }

    private mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        let part = UnsafeBufferPointer(rebasing: bytes.prefix(rest.count))
        _ = rest.update(fromContentsOf: part)
        count += part.count
    }
}

extension String {
    /// A text of at most so many bytes.
    init(words limit: Int, _ body: (inout TextBuilder) -> Void) {
        self.init(unsafeUninitializedCapacity: limit) { text in
            var words = TextBuilder(text)
            body(&words)
            return words.count
        }
    }

    /// A number in decimal.
    init(decimal number: UInt32) {
        self.init(words: 10) { $0.put(number) }
    }
}
