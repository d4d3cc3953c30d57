import Foundation

/// A configuration of many targets, in a file that goes with the last reference to it.
final class TargetFile {
    let path: String

    /// - Parameters:
    ///   - count: How many targets, each with an address of its own below the given one.
    ///   - interval: From one probe of a target to the next, in seconds.
    init(_ count: Int, below url: String, interval: Int) throws {
        path = FileManager.default.temporaryDirectory.path + "/targets-\(UUID().uuidString).json"
        let targets = (0..<count).map { "{\"url\": \"\(url)\($0)\"}" }.joined(separator: ", ")
        try "{\"interval\": \(interval), \"targets\": [\(targets)]}"
            .write(toFile: path, atomically: false, encoding: .utf8)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
