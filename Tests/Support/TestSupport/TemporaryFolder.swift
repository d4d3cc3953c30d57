import Foundation
public import SystemPackage

/// A folder of a test's own, removed with all that is in it when it is let go.
public final class TemporaryFolder: Sendable {
    public let path: FilePath

    public init() throws {
        let name = "netwatch-test-\(UUID().uuidString)"
        let url = FileManager.default.temporaryDirectory.appending(path: name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        path = FilePath(url.path(percentEncoded: false))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path.string)
    }

    /// Writes a file in the folder and returns its path.
    public func write(_ content: some Sequence<UInt8>, to name: String) throws -> FilePath {
        let file = path.appending(name)
        try Data(content).write(to: URL(fileURLWithPath: file.string))
        return file
    }
}
