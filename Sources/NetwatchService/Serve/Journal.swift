import Connectivity
import Glibc
import Reachability

/// Writes events to systemd's journal as messages with fields (systemd.journal-fields(7)), so that
/// `journalctl MESSAGE_ID=…` and `journalctl NETWATCH_TARGET=shop` find them.
struct Journal: Sendable {
    /// Where the journal takes messages (https://systemd.io/JOURNAL_NATIVE_PROTOCOL/).
    static let usualPath = "/run/systemd/journal/socket"

    private let path: String

    init(path: String = usualPath) {
        self.path = path
    }

    /// The journal, where that is what standard output leads to (systemd.exec(5), `$JOURNAL_STREAM`); else nil.
    static var ofStandardOutput: Journal? {
        guard let stream = Environment.value("JOURNAL_STREAM") else { return nil }
        var target = [CChar](repeating: 0, count: 64)
        let count = unsafe max(0, readlink("/proc/self/fd/1", &target, target.count))
        let file = String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return isJournal(file, stream) ? Journal() : nil
    }

    /// - Parameters:
    ///   - file: What a descriptor leads to, as /proc has it: `socket:[123]`.
    ///   - stream: The journal's socket, `DEVICE:123`.
    static func isJournal(_ file: String, _ stream: String) -> Bool {
        let number = stream.split(separator: ":", omittingEmptySubsequences: false).last ?? ""
        return !number.isEmpty && file == "socket:[\(number)]"
    }

    /// Writes an event.
    ///
    /// - Returns: Whether the journal took it.
    func write(_ event: Event) -> Bool {
        UnixDatagram.send(Self.message(Self.fields(of: event)), to: path) == .taken
    }

    /// Writes that events were left out.
    func write(leftOut count: Int) -> Bool {
        let fields = [
            ("MESSAGE", "\(count) events came too fast for this log: netwatch events has had them"), ("PRIORITY", "5"),
            ("MESSAGE_ID", "87714bd2d6764bd6b6f2abfa86ee21bc"), ("NETWATCH_LEFT_OUT", "\(count)"),
            ("SYSLOG_IDENTIFIER", "netwatch"),
        ]
        return UnixDatagram.send(Self.message(fields), to: path) == .taken
    }

    // MARK: Fields

    static func fields(of event: Event) -> [(String, String)] {
        var fields = [
            ("MESSAGE", DisplayText.safe(event.description)), ("PRIORITY", isBad(event) ? "4" : "6"),
            ("MESSAGE_ID", messageID(of: event.kind)), ("SYSLOG_IDENTIFIER", "netwatch"),
            ("NETWATCH_SEQ", "\(event.seq)"), ("NETWATCH_KIND", event.kind.rawValue),
            ("NETWATCH_REACHABILITY", event.reachability.rawValue),
            ("NETWATCH_CONNECTIVITY", event.connectivity.rawValue),
        ]
        fields += event.to.interfaces.map { ("NETWATCH_INTERFACE", $0) }
        if let reason = event.reason { fields.append(("NETWATCH_REASON", reason.rawValue)) }
        if let blame = event.blame { fields.append(("NETWATCH_BLAME", blame.rawValue)) }
        guard event.kind != .snapshot else { return fields }
        // A field may stand more than once; of thousands of targets a few are enough to be found by.
        return fields + event.targets.prefix(16).map { ("NETWATCH_TARGET", $0.target) }
    }

    /// Whether something is worse than before.
    private static func isBad(_ event: Event) -> Bool {
        let rank = { (status: ConnectivityStatus) in ConnectivityStatus.allCases.firstIndex(of: status) ?? 0 }
        if let from = event.from, rank(event.connectivity) < rank(from.connectivity) { return true }
        return event.kind == .target && event.targets.contains { $0.status == .down }
    }

    /// A fixed number for each kind of event, as `journalctl` looks for it. They never change.
    static func messageID(of kind: Event.Kind) -> String {
        switch kind {
        case .snapshot: "e16cb81c5c154bf09b50abe5d4660c0f"
        case .transition: "373a89cf20de48619baf9830e1a681ed"
        case .path: "59efde2140fe4c998f6066b4378fadcf"
        case .target: "4b5255a5124a49b2bb0432d2a24ad988"
        case .uplink: "371655b8346c45419f10a6e46ca9deae"
        case .portal: "963832b5f834407db1030a12a2e897e7"
        case .result: "4e0c7709b3744ffdae050ca581a0f97f"
        }
    }

    /// `NAME=value` in a line each; a value of several lines with its length before it.
    static func message(_ fields: [(String, String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (name, value) in fields {
            bytes += name.utf8
            if value.utf8.contains(UInt8(ascii: "\n")) {
                bytes.append(UInt8(ascii: "\n"))
                unsafe withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { unsafe bytes += $0 }
            } else {
                bytes.append(UInt8(ascii: "="))
            }
            bytes += value.utf8
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }
}
