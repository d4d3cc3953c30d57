/// A body that a reader of the caller's makes.
final class ReaderSource: BodySource {
    let count: Int64?
    private let open: @Sendable () throws -> any BodyReader
    private var reader: any BodyReader
    private var remaining: Int64

    init(length: Int64?, open: @escaping @Sendable () throws -> any BodyReader) throws(RequestError) {
        count = length
        remaining = length ?? .max
        self.open = open
        do {
            reader = try open()
        } catch {
            throw RequestError(.bodyFailed("\(error)"))
        }
    }

    /// Reads no further than the length that was promised, and takes an earlier end for a failure.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodySupply {
        guard remaining > 0 else { return .end }
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: remaining)))
        do {
            let count = try unsafe reader.read(into: room)
            guard (0...room.count).contains(count) else { return .failed(.bodyFailed("it read \(count) bytes")) }
            guard count > 0 else { return end }
            remaining -= Int64(count)
            return .bytes(count)
        } catch {
            return .failed(.bodyFailed("\(error)"))
        }
    }

    func seek(to offset: Int64) -> Bool {
        guard offset == 0, let reader = try? open() else { return false }
        self.reader = reader
        remaining = count ?? .max
        return true
    }

    private var end: BodySupply {
        count == nil ? .end : .failed(.bodyFailed("it ended \(remaining) bytes before its length"))
    }
}
