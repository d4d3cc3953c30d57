import Glibc
import SystemPackage

/// Small files of the kernel's and of `/etc`. They are read as a whole, up to a limit.
package enum TextFile {
    /// The file's text; nil where it cannot be read. Bytes that are not UTF-8 are replaced.
    ///
    /// - Parameter limit: Of more bytes than these the rest is not read.
    package static func read(_ path: String, limit: Int = 64 << 10) -> String? {
        do throws(Errno) { return try readUnlessShort(path, limit: limit) } catch { return nil }
    }

    /// The same for a caller that does not take a shortage for absence.
    ///
    /// - Throws: Why it cannot be told what is in the file: there is no descriptor or no memory left.
    static func readUnlessShort(_ path: String, limit: Int = 64 << 10) throws(Errno) -> String? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let cause = Errno(rawValue: errno)
            guard [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory].contains(cause) else { return nil }
            throw cause
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count < limit, let more = chunk(descriptor), !more.isEmpty { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    private static func chunk(_ descriptor: CInt) -> [UInt8]? {
        var count = -1
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, initialized in
            count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            initialized = max(0, count)
        }
        return count < 0 ? nil : bytes
    }
}

extension String {
    /// The text without white space at its ends.
    var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
