/// How fast a body may be sent: bytes a second, and how many at once after a pause.
public struct Throttle: Hashable, Sendable {
    public let bytesPerSecond: Int
    public let burst: Int

    /// Both at least 1.
    public init(bytesPerSecond: Int, burst: Int) {
        self.bytesPerSecond = max(1, bytesPerSecond)
        self.burst = max(1, burst)
    }

    /// A packet each so many seconds, as AFNetworking puts it.
    public init(packetSize: Int, delay: Duration) {
        let seconds = max(1e-6, delay / .seconds(1))
        self.init(bytesPerSecond: Int(max(1, min(1e15, (Double(packetSize) / seconds).rounded()))), burst: packetSize)
    }

    /// What AFNetworking suggests for a 3G network: 16 KiB each 0.2 seconds.
    public static let suggested3G = Throttle(packetSize: 16_384, delay: .milliseconds(200))
}
