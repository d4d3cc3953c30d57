#if Service
import Glibc
import History
import RequestEngine

/// Up to where a webhook has had the events, in a file beside the history: it outlives the service, however that ends.
struct DeliveryMark: Sendable {
    private static let limit = 128

    private let path: String

    /// - Parameters:
    ///   - address: What the webhook is known by from one run to the next.
    ///   - history: The history's file.
    init(of address: String, beside history: String) {
        let name = SHA256Digest(of: Array(address.utf8)).description.prefix(16)
        path = "\(history).\(name).delivered"
    }

    /// Nil where nothing is known.
    func read() -> EventCursor? {
        guard let bytes = try? FileContents.read(path, limit: Self.limit) else { return nil }
        return EventCursor(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }

    /// Puts another file in the place of the one there is: whoever reads it finds the one or the other, and whole.
    ///
    /// - Returns: Whether it is on the disk.
    func write(_ place: EventCursor) -> Bool {
        let new = path + ".new"
        let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return false }
        let text = Array("\(place)\n".utf8)
        let isWritten = Glibc.write(file, text, text.count) == text.count && fdatasync(file) == 0
        close(file)
        return isWritten && rename(new, path) == 0
    }
}
#endif
