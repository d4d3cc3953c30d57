internal import NetworkAddress

/// For people: how long it took and where, what went over the line, and over which.
///
/// `41.7 ms: resolve 1.2 ms, connect 10.4 ms, tls 20.1 ms, processing 9.5 ms, transfer 0.5 ms; 83 bytes sent, 1.2 kB received;
/// HTTP/2 over TLSv1.3 (TLS_AES_256_GCM_SHA384); 192.0.2.1 port 40312 to 198.51.100.7 port 443`
extension RequestMetrics: CustomStringConvertible {
    public var description: String {
        [time, amount, versions, ends].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    private var time: String {
        let parts = Phase.allCases.compactMap { phase in phases[phase].map { "\(phase.rawValue) \(Self.text($0))" } }
        let whole = Self.text(duration)
        let failure = failedPhase.map { ", failed in \($0.rawValue)" } ?? ""
        return whole + (parts.isEmpty ? "" : ": ") + parts.joined(separator: ", ") + failure
    }

    private var amount: String { "\(Self.text(bytes: bytesSent)) sent, \(Self.text(bytes: bytesReceived)) received" }

    private var versions: String {
        let http = httpVersion.map { "HTTP/\($0.rawValue)" }
        let cipher = tlsCipher.map { " (\($0))" } ?? ""
        return [http, tlsVersion.map { $0 + cipher }].compactMap(\.self).joined(separator: " over ")
    }

    private var ends: String {
        let ends = [Self.end(localAddress, localPort), Self.end(remoteAddress, remotePort)].compactMap(\.self)
        guard !ends.isEmpty else { return "" }
        let way = ends.count == 2 ? ends.joined(separator: " to ") : "to \(ends[0])"
        return way + (isConnectionReused ? ", a connection used before" : "")
    }

    private static func end(_ address: IPAddress?, _ port: Int?) -> String? {
        address.map { "\($0)" + (port.map { " port \($0)" } ?? "") }
    }

    private static func text(_ duration: Duration) -> String {
        switch UInt64(clamping: duration.attoseconds / 1_000_000_000) {
        case let time where time < 1_000_000: "\(tenths(time, of: 1_000)) µs"
        case let time where time < 1_000_000_000: "\(tenths(time, of: 1_000_000)) ms"
        case let time: "\(tenths(time, of: 1_000_000_000)) s"
        }
    }

    private static func text(bytes: Int) -> String {
        switch UInt64(clamping: bytes) {
        case 1: "1 byte"
        case ..<1_000: "\(bytes) bytes"
        case let count where count < 1_000_000: "\(tenths(count, of: 1_000)) kB"
        case let count where count < 1_000_000_000: "\(tenths(count, of: 1_000_000)) MB"
        case let count: "\(tenths(count, of: 1_000_000_000)) GB"
        }
    }

    /// With one digit behind the point.
    private static func tenths(_ value: UInt64, of unit: UInt64) -> String {
        let tenths = value / (unit / 10)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
