/// The bytes of a multipart body, read from the first to the last. It holds one open file at a time and buffers nothing.
public struct MultipartBody: ~Copyable {
    private let form: MultipartFormData
    private var stage = Stage.opening(0)
    private var reader: any BodyReader
    private var remaining: Int64

    /// The exact number of bytes that will be read.
    public let contentLength: Int64

    private enum Stage {
        case opening(Int)
        case content(Int)
        case closing
        case ended
    }

    init(_ form: MultipartFormData) throws(MultipartError) {
        self.form = form
        contentLength = try form.contentLength
        let first = form.parts.isEmpty ? form.closing : form.opening(0)
        if form.parts.isEmpty { stage = .closing }
        reader = MemoryReader(first)
        remaining = Int64(first.count)
    }

    /// Fills the buffer, or what of it is left to fill; 0 means the end. Once it has failed it must not be read again.
    public mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        var filled = 0
        while filled < buffer.count {
            if remaining == 0 {
                if case .ended = stage { break }
                try advance()
                continue
            }
            unsafe filled += try readSome(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
        }
        return filled
    }

    /// The same body from its first byte again.
    public func reopened() throws(MultipartError) -> MultipartBody {
        try MultipartBody(form)
    }

    /// Reads of the present piece, never beyond the length it was said to have.
    private mutating func readSome(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        let limit = Int(min(Int64(buffer.count), remaining))
        let count: Int
        do {
            count = try unsafe reader.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<limit]))
        } catch {
            throw failure(error)
        }
        guard (1...limit).contains(count) else { throw unexpected(count) }
        remaining -= Int64(count)
        return count
    }

    /// Goes on to the next piece, letting go of the last.
    private mutating func advance() throws(MultipartError) {
        switch stage {
        case .opening(let index):
            stage = .content(index)
            try open(form.parts[index].content)
        case .content(let index) where index + 1 < form.parts.count:
            stage = .opening(index + 1)
            read(from: form.opening(index + 1))
        case .content:
            stage = .closing
            read(from: form.closing)
        case .closing, .ended:
            stage = .ended
            read(from: [])
        }
    }

    private mutating func open(_ content: MultipartFormData.Content) throws(MultipartError) {
        do {
            reader = try content.open()
        } catch {
            throw failure(error)
        }
        remaining = content.length
    }

    private mutating func read(from bytes: [UInt8]) {
        reader = MemoryReader(bytes)
        remaining = Int64(bytes.count)
    }

    private func unexpected(_ count: Int) -> MultipartError {
        guard count == 0, case .content(let index) = stage else {
            return .stream(part: partName, reason: "it claims to have read \(count) bytes")
        }
        let expected = form.parts[index].content.length
        return .tooShort(part: partName, expected: expected, got: expected - remaining)
    }

    private func failure(_ error: any Error) -> MultipartError {
        error as? MultipartError ?? .stream(part: partName, reason: "\(error)")
    }

    private var partName: String {
        switch stage {
        case .opening(let index), .content(let index): form.parts[index].name
        case .closing, .ended: ""
        }
    }
}
