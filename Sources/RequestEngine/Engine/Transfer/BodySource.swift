import EventLoop
import FoundationEssentials
import Glibc
import SystemPackage

/// Where the content of a request comes from.
protocol BodySource: AnyObject {
    /// The number of bytes, or nil where it is not known ahead.
    var count: Int64? { get }
    /// Fills the buffer as far as it can.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodySupply
    /// Goes to an offset, to send again from there; false where it cannot.
    func seek(to offset: Int64) -> Bool
    /// The server has answered, and may not want the rest. libcurl (7.88) sends no more then, but does not end while it waits for
    /// what a source has not: the transfer is made to go on.
    ///
    /// - Parameter isEndSeen: Whether the end of the answer will be told in the same way. Otherwise the transfer goes on now and
    ///   then, until it ends.
    func giveUpWaiting(isEndSeen: Bool)
}

extension BodySource {
    func giveUpWaiting(isEndSeen: Bool) {}
}

/// What a source had to give.
enum BodySupply {
    case bytes(Int)
    case end
    /// Nothing now: asked again once the transfer is resumed.
    case paused
    case failed(RequestError.Reason)
}

extension RequestBody {
    /// - Parameters:
    ///   - loop: Where a body that is made meanwhile is made.
    ///   - resume: Makes a transfer go on whose body had nothing to give.
    func open(
        on loop: EventLoop, resume: @escaping @Sendable () -> Void
    ) throws(RequestError) -> any BodySource {
        switch self {
        case .data(let data): DataSource(data)
        case .file(let path): try FileSource(path: path)
        case .stream(let length, let open): try ReaderSource(length: Self.checked(length), open: open)
        case .pieces(let length, let pieces):
            PiecesSource(length: try Self.checked(length), pieces, loop: loop, resume: resume)
        case .multipart(let form): try MultipartSource(form)
        }
    }

    /// A length of -1 would be an unknown one to libcurl, and the end to the source: the body would be sent empty.
    private static func checked(_ length: Int64?) throws(RequestError) -> Int64? {
        if let length, length < 0 { throw RequestError(.bodyFailed("it cannot have \(length) bytes")) }
        return length
    }
}

final class DataSource: BodySource {
    private let data: Data
    private var offset = 0

    init(_ data: Data) {
        self.data = data
    }

    var count: Int64? { Int64(data.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodySupply {
        let piece = data.dropFirst(offset).prefix(buffer.count)
        guard !piece.isEmpty else { return .end }
        unsafe piece.copyBytes(to: buffer)
        offset += piece.count
        return .bytes(piece.count)
    }

    func seek(to offset: Int64) -> Bool {
        guard (0...Int64(data.count)).contains(offset) else { return false }
        self.offset = Int(offset)
        return true
    }
}

/// A file, open as long as the source lives. Its length is what it was when it was opened: what is added meanwhile is not
/// sent, and what is cut off makes the request fail at once, since the server would wait for it. A file of the kernel's, such as
/// those of proc(5) and sysfs(5), has no length before it is read, whatever is said: it is sent in chunks, to its end.
final class FileSource: BodySource {
    let count: Int64?
    private let path: String
    private let descriptor: FileDescriptor
    private var remaining: Int64

    init(path: String) throws(RequestError) {
        self.path = path
        do throws(Errno) {
            descriptor = try RegularFile.open(FilePath(path))
        } catch {
            throw RequestError(.bodyUnreadable(path: path, error))
        }
        var status = stat()
        guard unsafe fstat(descriptor.rawValue, &status) == 0 else {
            let cause = Errno(rawValue: errno)
            try? descriptor.close()
            throw RequestError(.bodyUnreadable(path: path, cause))
        }
        let size = Int64(status.st_size)
        count = RegularFile.isTrue(size: size, of: descriptor) ? size : nil
        remaining = count ?? .max
    }

    deinit {
        try? descriptor.close()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodySupply {
        guard remaining > 0 else { return .end }
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: remaining)))
        do {
            let count = try unsafe descriptor.read(into: room)
            guard count > 0 else { return end }
            remaining -= Int64(count)
            return .bytes(count)
        } catch {
            return .failed(.bodyUnreadable(path: path, error as? Errno ?? .ioError))
        }
    }

    private var end: BodySupply {
        count == nil ? .end : .failed(.bodyFailed("\(path) became \(remaining) bytes shorter meanwhile"))
    }

    func seek(to offset: Int64) -> Bool {
        let length = count ?? .max
        guard (0...length).contains(offset), (try? descriptor.seek(offset: offset, from: .start)) == offset
        else { return false }
        remaining = length - offset
        return true
    }
}
