import Connectivity
import EventLoop
import History
import Netwatch

/// What takes the events of a service elsewhere. ``take(_:)`` is called on the watcher's loop and must not wait.
protocol EventExporter: Sendable {
    var health: ExportHealth { get }
    func take(_ event: Event)
    /// Ends it, once the watcher has: within two seconds.
    func stop()
}

/// The exporters of a service. None of them delays another, nor what they tell of.
struct Exporters: Sendable {
    private let exporters: [any EventExporter]
    /// Those that another configuration exchanges.
    let telling: Telling

    /// Those of a configuration, started.
    ///
    /// - Parameters:
    ///   - history: What keeps the events; nil where none is kept.
    ///   - metrics: All that `/metrics` shows; asked from another thread.
    /// - Throws: ``MQTTFailure``, ``EventLoopError`` or ``RequestError`` where the system gives no thread.
    init(
        _ service: ServiceConfiguration, origin: EventOrigin, monitor: ConnectivityMonitor, history: History?,
        metrics: @escaping @Sendable () -> [MetricFamily]
    ) throws {
        var exporters: [any EventExporter] = []
        if let mqtt = service.mqtt {
            let backlog: any EventBacklog =
                history.map { HistoryBacklog($0, name: "mqtt") } ?? MemoryBacklog(run: origin.epoch)
            let exporter = MQTTExporter(mqtt, host: service.name, origin: origin, backlog: backlog) {
                monitor.current
            }
            try exporter.start()
            exporters.append(exporter)
        }
        exporters += try Self.pushers(service.push, origin, metrics)
        self.exporters = exporters
        telling = Telling(origin: origin, history: history, monitor: monitor)
        try telling.change(to: service)
    }

    /// All on one loop: a slow address delays its own requests only.
    private static func pushers(
        _ exports: [PushExport], _ origin: EventOrigin, _ metrics: @escaping @Sendable () -> [MetricFamily]
    ) throws -> [any EventExporter] {
        guard !exports.isEmpty else { return [] }
        let loop = try EventLoop(name: "netwatch-push")
        return try exports.enumerated().map { index, export in
            // The name is a label of metrics: two of one format are told apart by their place.
            let isOnly = exports.count { $0.format == export.format } == 1
            let name = isOnly ? export.format.rawValue : "\(export.format.rawValue)-\(index)"
            let exporter = try PushExporter(export, name: name, origin: origin, loop: loop, families: metrics)
            exporter.start()
            return exporter
        }
    }

    /// How many descriptors they have open at most, but for those of ``Telling``.
    static func descriptors(_ service: ServiceConfiguration) -> Int {
        (service.mqtt == nil ? 0 : 6) + (service.push.isEmpty ? 0 : 3 + 3 * service.push.count)
    }

    var health: [ExportHealth] { exporters.map(\.health) + telling.health }

    func take(_ event: Event) {
        for exporter in exporters { exporter.take(event) }
        telling.take(event)
    }

    /// Ends them, before the history is closed.
    func finish() async {
        await telling.finish()
        for exporter in exporters { exporter.stop() }
    }
}

/// Hands events on to the exporters, and then to the sink.
struct ExportingSink: EventSink {
    let sink: any EventSink
    let exporters: Exporters

    func accept(_ event: Event) throws -> EventRemainder? {
        if event.kind != .result { exporters.take(event) }
        return try sink.accept(event)
    }

    func finish() async {
        await sink.finish()
    }
}
