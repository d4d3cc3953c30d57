#if Service
import Connectivity
import FoundationEssentials
import Synchronization
import SystemPackage

/// Writes a monitor's records to a file, one JSON object a line, each with one write, so that a run that is killed leaves
/// whole lines.
final class TraceWriter: Sendable {
    private struct State {
        let encoder: JSONEncoder
        var failure: TraceError?
    }

    private let path: String
    private let file: FileDescriptor
    private let state: Mutex<State>

    /// Makes the file, in the place of an older one. It tells of this host's network, so only its owner may read it.
    init(path: String) throws(TraceError) {
        self.path = path
        do {
            file = try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: .ownerReadWrite)
        } catch {
            throw .unwritable(path: path, error as? Errno ?? .ioError)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        state = Mutex(State(encoder: encoder))
    }

    deinit {
        try? file.close()
    }

    /// What kept it from writing; nothing is written after it.
    var failure: TraceError? { state.withLock { $0.failure } }

    /// Writes a record.
    ///
    /// - Returns: Whether all has been written so far.
    func write(_ record: MonitorRecord) -> Bool {
        state.withLock { state in
            guard state.failure == nil else { return false }
            do {
                try file.writeAll(line(record, state.encoder))
                return true
            } catch {
                state.failure = .unwritable(path: path, error as? Errno ?? .ioError)
                return false
            }
        }
    }

    private func line(_ record: MonitorRecord, _ encoder: JSONEncoder) throws -> Data {
        var data =
            if case .start(let start) = record { try encoder.encode(TraceHeader(start)) } else {
                try encoder.encode(record)
            }
        data.append(UInt8(ascii: "\n"))
        return data
    }
}
#endif
