#if Service
import Connectivity
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

    /// Those of a configuration, started.
    ///
    /// - Parameter state: Tells the state as it is, from any thread.
    /// - Throws: ``MQTTFailure`` where the system gives no thread.
    init(
        _ service: ServiceConfiguration, origin: EventOrigin, state: @escaping @Sendable () -> Event
    ) throws {
        var exporters: [any EventExporter] = []
        if let mqtt = service.mqtt {
            let exporter = MQTTExporter(mqtt, host: service.name, origin: origin, state: state)
            try exporter.start()
            exporters.append(exporter)
        }
        self.exporters = exporters
    }

    var health: [ExportHealth] { exporters.map(\.health) }

    func take(_ event: Event) {
        for exporter in exporters { exporter.take(event) }
    }

    func stop() {
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
#endif
