import Synchronization

/// How an exporter fares: a line of the log for each change, the state for `/readyz?verbose`, figures for `/metrics`. It never
/// makes the service less ready.
package final class ExportHealth: Sendable {
    private struct State {
        var isWell: Bool?
        var words: String
        var hasEnded = false
    }

    package let name: String
    private let tell: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - name: `mqtt`, `otlp`.
    ///   - words: What is the case before the first attempt has ended.
    ///   - tell: Takes a line for the log.
    package init(
        _ name: String, words: String = "no attempt yet",
        tell: @escaping @Sendable (String) -> Void = { StandardStreams.tell($0) }
    ) {
        self.name = name
        state = Mutex(State(words: words))
        self.tell = tell
        record(0, in: "up")
        counter("sent").increment(by: 0)
        counter("dropped").increment(by: 0)
        counter("failures").increment(by: 0)
    }

    /// What is the case now, in words.
    package var words: String { state.withLock { $0.words } }

    /// Whether the last attempt went well; nil before the first.
    package var isWell: Bool? { state.withLock { $0.isWell } }

    func succeeded(_ words: String) {
        change(to: true, words)
        record(1, in: "up")
    }

    func failed(_ words: String) {
        change(to: false, words)
        record(0, in: "up")
        counter("failures").increment()
    }

    func sent(_ number: Int = 1) { counter("sent").increment(by: number) }

    /// A message that no receiver takes is given up.
    func dropped(_ number: Int = 1, because words: String? = nil) {
        counter("dropped").increment(by: number)
        if let words { tell("\(name): \(DisplayText.safe(words))") }
    }

    func queued(_ number: Int) { record(number, in: "queued") }

    /// The exporter is taken out of the configuration: its gauges go, and what it still does changes none any more.
    ///
    /// - Parameter isNameTaken: Whether another bears its name by now, whose gauges they are then.
    func end(isNameTaken: Bool) {
        state.withLock { state in
            state.hasEnded = true
            guard !isNameTaken else { return }
            for what in Self.gauges { gauge(what).destroy() }
        }
    }

    /// Nothing waits and nothing was tried, whatever was told of another under its name.
    func begin() {
        tellAgain()
        queued(0)
    }

    /// Tells anew whether it is well, where another has told that under its name meanwhile.
    func tellAgain() { record(isWell == true ? 1 : 0, in: "up") }

    private func change(to isWell: Bool, _ words: String) {
        let words = DisplayText.safe(words)
        let isNews = state.withLock { state in
            defer { (state.isWell, state.words) = (isWell, words) }
            return state.isWell != isWell
        }
        if isNews { tell("\(name): \(words)") }
    }

    private static let gauges = ["up", "queued"]

    /// With the lock held, so that nothing is recorded once it has ended.
    private func record(_ number: Int, in what: String) {
        state.withLock { state in
            if !state.hasEnded { gauge(what).record(number) }
        }
    }

    private func gauge(_ what: String) -> Gauge {
        Gauge("netwatch_export_\(what)", [.init("exporter", name)])
    }

    private func counter(_ what: String) -> Counter {
        Counter("netwatch_export_\(what)_total", [.init("exporter", name)])
    }
}
