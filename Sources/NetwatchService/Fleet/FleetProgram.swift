package import EventLoop
package import Fleet
import Glibc
package import MQTT
import SystemPackage

/// `netwatch fleet`: what the hosts of a fleet publish, and the level at which something is broken.
package struct FleetProgram: Sendable {
    package enum Form: Hashable, Sendable {
        /// A table that follows the events.
        case live
        /// A line of text, or of JSON, for each change.
        case lines(isJSON: Bool)
        /// The state once, when nothing more comes.
        case once(isJSON: Bool)
    }

    /// The signals it handles: to be blocked before any thread is started. What tells once leaves nothing behind: the signals'
    /// own action ends it.
    package var signals: [CInt] {
        switch form {
        case .live: SignalSource.ends + FleetScreen.signals
        case .lines: SignalSource.ends
        case .once: []
        }
    }

    /// A broker is taken to have said all that it held when it has said nothing for so long.
    private static let quiet = Duration.milliseconds(700)
    /// How long that is waited for where there is no broker, and where a large fleet goes on to speak.
    private static let (patienceForBroker, patienceForQuiet) = (Duration.seconds(5), Duration.seconds(30))
    /// How often it is looked whether there is something to show.
    private static let pause = Duration.milliseconds(250)

    private let settings: MQTTSettings
    private let prefix: String
    private let fleet: FleetReducer.Settings
    private let form: Form
    private let patience: Duration

    /// - Parameters:
    ///   - settings: The brokers, and how they are trusted.
    ///   - prefix: What the fleet's topics begin with.
    ///   - patience: How long the first answer may take, where it is asked once.
    package init(
        _ settings: MQTTSettings, prefix: String, fleet: FleetReducer.Settings, form: Form, patience: Duration
    ) {
        self.settings = settings
        self.prefix = prefix
        self.fleet = fleet
        self.form = form
        self.patience = patience
    }

    /// Runs until a signal or the reader of standard output ends it, or until the state was told.
    package func run(on loop: EventLoop) async throws -> ExitStatus {
        let listener = FleetListener(prefix: prefix, settings: fleet, broker: settings.brokers.first)
        var settings = settings
        settings.subscriptions = FleetListener.filters(prefix: prefix)
        // A broker leaves out what waits too long for its reader.
        settings.goesLast = false
        // What is retained comes before the answer to a sign of life: with a hundred thousand hosts that takes a while.
        settings.keepAlive = .seconds(30)
        let client = try MQTTClient(settings, delegate: listener)
        defer { client.stop(within: .seconds(1)) }
        let output = try LineOutput(.standardOutput, name: "standard output", loop: loop)
        return switch form {
        case .once(let isJSON): try await tellOnce(listener, isJSON, output, loop)
        case .lines(let isJSON):
            try await follow(listener, loop, output) { view, isNew in isNew ? Self.text(view, isJSON) : nil }
        case .live: try await show(listener, loop, output)
        }
    }

    private func tellOnce(
        _ listener: FleetListener, _ isJSON: Bool, _ output: LineOutput, _ loop: EventLoop
    ) async throws -> ExitStatus {
        let end = MonotonicTime.now.advanced(by: patience)
        while MonotonicTime.now < end, (listener.quietTime ?? .zero) < Self.quiet {
            try await loop.sleep(for: .milliseconds(50))
        }
        let view = listener.view(hostsAlone: 1000)
        try await output.writeAnswer(Array(Self.text(view, isJSON).utf8))
        return view.status
    }

    private static func text(_ view: FleetView, _ isJSON: Bool) -> String {
        guard !isJSON else {
            return view.json(time: TimeText.rfc3339(UInt64(TimeText.seconds) * 1_000_000_000)) + "\n"
        }
        return view.lines.map { DisplayText.safe($0) + "\n" }.joined()
    }

    /// Writes what is new, four times a second at most.
    ///
    /// - Parameters:
    ///   - screen: What is drawn on; nil where lines are written.
    ///   - text: What is to be written for a view, which may be the same as before.
    private func follow(
        _ listener: FleetListener, _ loop: EventLoop, _ output: LineOutput, on screen: FleetScreen? = nil,
        _ text: @escaping @Sendable (_ view: FleetView, _ isNew: Bool) -> String?
    ) async throws -> ExitStatus {
        let work = Task(executorPreference: loop) {
            var last: FleetView?
            let start = MonotonicTime.now
            while !Task.isCancelled {
                let begin = MonotonicTime.now
                var effort = Duration.zero
                // What the broker held comes at once: it is one change.
                if last != nil || Self.isTold(listener.quietTime, after: start.duration(to: begin)) {
                    let view = listener.view(hostsAlone: 100)
                    let new = text(view, view != last)
                    // Without the time for which a slow reader is waited for.
                    effort = begin.duration(to: .now)
                    if let new { try await output.write(Array(new.utf8)) }
                    last = view
                }
                // A large fleet is looked at less often: it takes a fifth of a processor at most.
                try await loop.sleep(for: max(Self.pause, effort * 4))
            }
        }
        let signals = try SignalSource(self.signals, loop: loop) { signal in
            guard !SignalSource.ends.contains(signal) else {
                JobControl.beginEnd()
                return work.cancel()
            }
            // The terminal of a program that ends is not to be taken again.
            if !JobControl.isEnding { screen?.obey(signal) }
        }
        defer { withExtendedLifetime(signals) {} }
        let watch = Task(executorPreference: loop) {
            await output.waitUntilClosed()
            work.cancel()
        }
        defer { watch.cancel() }
        do { try await work.value } catch is CancellationError {}
        return .success
    }

    /// Whether what a broker held has come, or is not worth waiting for.
    ///
    /// - Parameter quietTime: For how long it has said nothing; nil where there is none.
    private static func isTold(_ quietTime: Duration?, after time: Duration) -> Bool {
        guard let quietTime else { return time >= patienceForBroker }
        return quietTime >= quiet || time >= patienceForQuiet
    }

    private func show(_ listener: FleetListener, _ loop: EventLoop, _ output: LineOutput) async throws -> ExitStatus {
        let screen = FleetScreen()
        screen.enter()
        defer { screen.leave() }
        return try await follow(listener, loop, output, on: screen) { screen.drawing(of: $0, isNew: $1) }
    }
}
