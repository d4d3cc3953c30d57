import Connectivity
import FoundationEssentials
import RequestEngine
import Synchronization
import SystemPackage

/// Writes a monitor's records to a file, one JSON object a line, each with one write, so that a run that is killed leaves
/// whole lines. The file never grows beyond a limit.
final class TraceWriter: Sendable {
    private struct State {
        let encoder: JSONEncoder
        var failure: TraceError?
        var left: Int
        var isFull = false
    }

    private let path: String
    private let file: FileDescriptor
    private let state: Mutex<State>

    /// Makes the file, in the place of an older one. It tells of this host's network, so only its owner may read it. A pipe
    /// is written to as far as its reader keeps up, and nothing ever waits for one.
    ///
    /// - Parameter limit: The bytes that it may hold.
    init(path: String, limit: Int) throws(TraceError) {
        self.path = path
        do throws(Errno) {
            file = try RegularFile.openAnything(
                FilePath(path), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        } catch {
            throw .unwritable(path: path, error)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        state = Mutex(State(encoder: encoder, left: limit))
    }

    deinit {
        try? file.close()
    }

    /// What kept it from writing; nothing is written after it.
    var failure: TraceError? { state.withLock { $0.failure } }

    /// Whether a record did not fit any more; nothing is written after it.
    var isFull: Bool { state.withLock { $0.isFull } }

    /// Writes a record.
    ///
    /// - Returns: Whether all has been written so far.
    func write(_ record: MonitorRecord) -> Bool {
        state.withLock { state in
            guard state.failure == nil, !state.isFull else { return false }
            do {
                let line = try line(record, state.encoder)
                state.isFull = line.count > state.left
                guard !state.isFull else { return false }
                try file.writeAll(line)
                state.left -= line.count
                return true
            } catch {
                state.failure = .unwritable(path: path, error as? Errno ?? .ioError)
                return false
            }
        }
    }

    private func line(_ record: MonitorRecord, _ encoder: JSONEncoder) throws -> Data {
        var data =
            if case .start(let start) = record.content { try encoder.encode(TraceHeader(start)) } else {
                try encoder.encode(record)
            }
        data.append(UInt8(ascii: "\n"))
        return data
    }
}
