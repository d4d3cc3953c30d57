import RequestEngine
import SystemPackage

/// Reads a file line by line, holding no more than one line and one block of it.
struct LineReader: ~Copyable {
    /// Longer than the state of a router with a hundred thousand routes.
    static let maximumLength = 64 << 20

    private let path: String
    private let file: FileDescriptor
    private var block = [UInt8](repeating: 0, count: 1 << 16)
    private var rest: ArraySlice<UInt8> = []
    /// The number of the latest line, from 1.
    private(set) var number = 0

    init(path: String) throws(TraceError) {
        self.path = path
        do throws(Errno) {
            file = try RegularFile.openFileOrPipe(FilePath(path))
        } catch {
            throw .unreadable(path: path, error)
        }
    }

    deinit {
        try? file.close()
    }

    /// The next line without its line feed; nil at the end of the file.
    mutating func next() throws(TraceError) -> [UInt8]? {
        var line: [UInt8] = []
        number += 1
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<end]
                rest = rest[(end + 1)...]
                return line
            }
            line += rest
            guard line.count <= Self.maximumLength else {
                throw .badLine(path: path, line: number, problem: "it is longer than \(Self.maximumLength) bytes")
            }
            try fill()
            guard rest.isEmpty else { continue }
            guard line.isEmpty else {
                throw .badLine(path: path, line: number, problem: "the file ends in the middle of this line")
            }
            return nil
        }
    }

    private mutating func fill() throws(TraceError) {
        do {
            let count = try unsafe block.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
            rest = block[..<count]
        } catch {
            throw .unreadable(path: path, error as? Errno ?? .ioError)
        }
    }
}
