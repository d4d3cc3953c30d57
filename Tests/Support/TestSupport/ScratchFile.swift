import Glibc
import SystemPackage

/// A file without a name, gone when it is closed: where a program's output goes and can be read at any time.
final class ScratchFile: Sendable {
    let descriptor: CInt

    init() throws {
        var template = Array("/tmp/netwatch-test-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        unlink(template)
    }

    deinit {
        close(descriptor)
    }

    /// Everything written so far.
    ///
    /// A descriptor that cannot be read is told in the text: it was closed by mistake, elsewhere in this process, and an empty
    /// text would look as if a program had printed nothing.
    var text: String {
        do { return try read() } catch { return "(the output cannot be read: \(error))" }
    }

    /// The same, or why it cannot be read.
    func read() throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = pread(descriptor, &buffer, buffer.count, off_t(bytes.count))
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            if count > 0 { bytes += buffer[..<count] } else if errno != EINTR { throw Errno(rawValue: errno) }
        }
    }

    /// Replaces the content and goes back to the beginning, for a program to read.
    func write(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Errno(rawValue: errno) }
            rest = rest.dropFirst(count)
        }
        lseek(descriptor, 0, SEEK_SET)
    }
}
