import RequestEngine
package import SystemPackage

/// Why a trace file cannot be written or replayed.
package enum TraceError: Error, Hashable, Sendable {
    case unreadable(path: String, Errno)
    case unwritable(path: String, Errno)
    case empty(path: String)
    /// A line is damaged or does not fit; lines count from 1.
    case badLine(path: String, line: Int, problem: String)
    /// Written by a version that writes another shape.
    case schema(path: String, Int)

    package var status: ExitStatus {
        switch self {
        case .unreadable: .noInput
        case .unwritable: .outputError
        case .empty, .badLine, .schema: .badData
        }
    }
}

extension TraceError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let path, let errno):
            "cannot read the recording \(path): \(RegularFile.explain(errno)); name a file that netwatch record wrote"
        case .unwritable(let path, let errno):
            "cannot write the recording \(path): \(RegularFile.explain(errno)); "
                + "name a file that this user may write, with room on its disk"
        case .empty(let path):
            "\(path), line 1: the file is empty; name a file that netwatch record wrote"
        case .badLine(let path, let line, let problem):
            "\(path), line \(line): \(problem); "
                + (line == 1 ? "name a file that netwatch record wrote" : "the lines before it were replayed")
        case .schema(let path, let schema):
            "\(path), line 1: schema \(schema) is unknown, this version reads up to \(TraceHeader.currentSchema); "
                + "replay it with the version that recorded it"
        }
    }
}
