package import SystemPackage

/// Reads whole files that are small by nature, and refuses those that are not.
package enum FileContents {
    /// The bytes of a regular file. A pipe or device is refused (it could block or never end).
    package static func read(_ path: String, limit: Int) throws(SecurityError) -> [UInt8] {
        do {
            let file = try RegularFile.open(FilePath(path))
            return try file.closeAfter { try read(file, path: path, limit: limit) }
        } catch let error as SecurityError {
            throw error
        } catch let errno as Errno {
            throw .unreadable(path: path, errno)
        } catch {
            throw .unreadable(path: path, .ioError)
        }
    }

    /// The first line of a regular file without its end, which some editors write as CR and LF.
    package static func firstLine(_ path: String, limit: Int) throws(SecurityError) -> [UInt8] {
        let bytes = try read(path, limit: limit)
        return Array(bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
    }

    private static func read(_ file: FileDescriptor, path: String, limit: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while bytes.count <= limit {
            let count = try unsafe chunk.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
        throw SecurityError.tooLarge(path: path, limit: limit)
    }
}

extension SecurityError {
    /// Why ``FileContents`` has not read a file, as the kernel would say it.
    package var readErrno: Errno {
        if case .unreadable(_, let errno) = self { errno } else { .fileTooLarge }
    }
}
