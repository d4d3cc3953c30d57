import FoundationEssentials

/// Numbers out of an image's header; nil where the bytes end.
struct ImageBytes {
    private let bytes: Data

    init(_ data: Data) {
        bytes = data
    }

    func byte(at offset: Int) -> Int? {
        guard offset >= 0, offset < bytes.count else { return nil }
        return Int(bytes[bytes.startIndex + offset])
    }

    func big16(at offset: Int) -> Int? { number(at: [offset, offset + 1]) }

    func big32(at offset: Int) -> Int? { number(at: [offset, offset + 1, offset + 2, offset + 3]) }

    func little16(at offset: Int) -> Int? { number(at: [offset + 1, offset]) }

    func little24(at offset: Int) -> Int? { number(at: [offset + 2, offset + 1, offset]) }

    func little32(at offset: Int) -> Int? { number(at: [offset + 3, offset + 2, offset + 1, offset]) }

    /// The bytes at these places, the highest first.
    private func number(at places: [Int]) -> Int? {
        var number = 0
        for place in places {
            guard let byte = byte(at: place) else { return nil }
            number = number << 8 | byte
        }
        return number
    }
}
