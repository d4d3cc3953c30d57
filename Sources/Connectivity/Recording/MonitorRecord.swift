package import Reachability

/// One entry of a monitor's recording: what it was told, and when.
///
/// Replayed in their order by a ``MonitorReplayer``, the records of a run give the events that it gave, byte for byte.
public struct MonitorRecord: Hashable, Sendable, Codable {
    package let content: Content

    package enum Content: Hashable, Sendable, Codable {
        /// A run begins.
        case start(Start)
        /// What the path layer was told, or asked the kernel.
        case path(record: TraceRecord)
        /// What the reducer was told: a path, an exchange, a probe's end, a timer, a request, another configuration.
        case input(ConnectivityReducer.Input, at: Instant)
    }

    package init(_ content: Content) { self.content = content }

    public init(from decoder: any Decoder) throws {
        content = try Content(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        try content.encode(to: encoder)
    }

    /// What a run begins with.
    public struct Start: Hashable, Sendable, Codable {
        public var configuration: ConnectivityConfiguration
        /// Where the jitter begins.
        public var seed: UInt64
        /// The number of the last event of an earlier run.
        public var lastSequence: UInt64

        public init(configuration: ConnectivityConfiguration, seed: UInt64, lastSequence: UInt64 = 0) {
            self.configuration = configuration
            self.seed = seed
            self.lastSequence = lastSequence
        }
    }
}

/// Takes a monitor's records on its loop's thread, in their order.
public typealias MonitorRecorder = @Sendable (MonitorRecord) -> Void
