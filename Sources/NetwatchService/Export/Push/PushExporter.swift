import Connectivity
import EventLoop
import FoundationEssentials
import History
import Netwatch
import RequestCore
import Synchronization

/// Sends a service's metrics, and by OpenTelemetry its events, to one address: on a loop of its own, one request after the other.
final class PushExporter: EventExporter {
    /// So many events are in one request at most.
    private static let most = 512
    /// After so many answers that the body is no good, its events are given up.
    private static let mostRefusals = 3

    /// What came of a request.
    private enum Outcome {
        /// With the answer's body.
        case taken(Data)
        /// The same body would be refused again, as it seems.
        case refused
        case failed
    }

    let health: ExportHealth
    private let export: PushExport
    private let origin: EventOrigin
    /// Changed by the work alone: when counters began follows a clock that is set.
    private let otlp: Mutex<OTLP>
    /// When it was made, on the clock that goes on in suspend, in nanoseconds.
    private let began = Stamp.now.boot
    private let families: @Sendable () -> [MetricFamily]
    private let backlog: MemoryBacklog
    private let session: Session
    private let loop: EventLoop
    private let work = Mutex<Task<Void, Never>?>(nil)
    /// How often the oldest events were refused. Only the work changes it.
    private let refusals = Mutex(0)
    /// What was last said of metrics that were not taken, likewise.
    private let complaint = Mutex<String?>(nil)

    /// - Parameters:
    ///   - name: What the log and the metrics call it.
    ///   - families: All of `/metrics`, from any thread.
    ///   - loop: Where requests are made: not the watcher's.
    init(
        _ export: PushExport, name: String, origin: EventOrigin, loop: EventLoop,
        families: @escaping @Sendable () -> [MetricFamily]
    ) throws {
        self.export = export
        self.origin = origin
        backlog = MemoryBacklog(run: origin.epoch)
        self.families = families
        self.loop = loop
        otlp = Mutex(OTLP(origin: origin))
        health = ExportHealth(name)
        session = try Session(configuration: try Self.configuration(export), loop: loop)
    }

    private static func configuration(_ export: PushExport) throws -> SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.timeouts = Timeouts(connect: .seconds(5), idle: .seconds(10), total: .seconds(15))
        configuration.maximumBodySize = 64 << 10
        configuration.maximumConnectionsPerHost = 1
        // What is sent twice is counted once: a collector that has lost its answer has the same numbers again.
        let policy = RetryPolicy {
            $0.methods.insert(.post)
            $0.maximumRetryAfter = .seconds(60)
        }
        configuration.interceptors = [Attempts(retriers: [policy])]
        if let file = export.caFile { configuration.securityPolicies.other?.anchors = .file(file) }
        return configuration
    }

    func start() {
        let new = Task(executorPreference: loop) { [weak self, loop, export] in
            while !Task.isCancelled {
                guard (try? await loop.sleep(for: export.interval)) != nil else { return }
                await self?.push()
            }
        }
        work.withLock { $0 = new }
    }

    func stop() {
        work.withLock { $0.take() }?.cancel()
        let left = backlog.count
        if left > 0 { health.dropped(left, because: "\(left) events are given up: the service ends") }
    }

    func take(_ event: Event) {
        if export.format == .otlp { backlog.append(event) }
    }

    // MARK: Sending

    private func push() async {
        switch export.format {
        case .prometheus:
            let text = PushedText.text(families(), of: origin)
            if case .taken = await send(Array(text.utf8), to: export.url, type: "text/plain; version=0.0.4") {
                succeed()
            }
        case .otlp:
            let now = Self.now
            let otlp = fitted(to: now)
            if case .taken(let answer) = await send(otlp.metrics(families(), at: now), to: "metrics") {
                complain(PartialSuccess(answer)?.words(of: "data points"))
                // Both or neither: a receiver of metrics alone would be well and unwell by turns.
                if await pushEvents() { succeed() }
            }
        }
        health.queued(backlog.count)
    }

    /// Now, in nanoseconds since 1970.
    private static var now: UInt64 { UInt64(TimeText.seconds) * 1_000_000_000 }

    private func fitted(to now: UInt64) -> OTLP {
        let running = UInt64(clamping: Stamp.now.boot - began)
        return otlp.withLock { otlp in
            otlp.fit(to: now, running: running)
            return otlp
        }
    }

    private func succeed() { health.succeeded("\(export.url.place) takes what is sent") }

    /// - Returns: Whether all were taken.
    private func pushEvents() async -> Bool {
        while !Task.isCancelled {
            var (entries, place): ([BacklogEntry], EventCursor?) = ([], nil)
            while entries.count < Self.most, let entry = backlog.next(after: place) {
                entries.append(entry)
                place = entry.place
            }
            guard let place else { return true }
            let logs = otlp.withLock { $0 }.logs(entries)
            switch await send(logs, to: "logs") {
            case .taken(let answer): taken(entries, upTo: place, PartialSuccess(answer))
            case .refused:
                refused(entries, upTo: place)
                return false
            case .failed: return false
            }
        }
        return false
    }

    private func taken(_ entries: [BacklogEntry], upTo place: EventCursor, _ partial: PartialSuccess?) {
        refusals.withLock { $0 = 0 }
        let count = tellGaps(in: entries)
        let refused = min(partial?.refused ?? 0, count)
        health.sent(count - refused)
        if let partial { health.dropped(refused, because: partial.words(of: "events")) }
        backlog.delivered(upTo: place)
    }

    /// Tells how many events are given up for each gap.
    ///
    /// - Returns: How many entries are events.
    private func tellGaps(in entries: [BacklogEntry]) -> Int {
        var count = entries.count
        for case .gap(let first, let last) in entries {
            count -= 1
            let lost = first.count(upTo: last)
            health.dropped(lost, because: "\(lost) events are given up: the collector hears of a gap")
        }
        return count
    }

    /// The same is wrong with the same metrics each time: it is told when it changes.
    private func complain(_ words: String?) {
        let isNews = complaint.withLock { exchange(&$0, with: words) != words }
        if isNews, let words { health.dropped(0, because: words) }
    }

    /// Events that a collector refuses again and again are given up.
    private func refused(_ entries: [BacklogEntry], upTo place: EventCursor) {
        let isLast = refusals.withLock { refusals in
            refusals += 1
            return refusals >= Self.mostRefusals
        }
        guard isLast else { return }
        refusals.withLock { $0 = 0 }
        backlog.delivered(upTo: place)
        let count = tellGaps(in: entries)
        health.dropped(count, because: "\(count) events are given up: the collector does not take them")
    }

    private func send(_ value: JSONValue, to signal: String) async -> Outcome {
        let url = export.url.appending(path: "v1").appending(path: signal)
        return await send(
            Array(value.text(options: .init(escapesSlashes: false)).utf8), to: url, type: "application/json")
    }

    private func send(_ bytes: [UInt8], to url: URL, type: String) async -> Outcome {
        do {
            var request = Request(url: url, method: .post, headers: ["Content-Type": type])
            if let file = export.tokenFile {
                request.headers["Authorization"] = "Bearer \(try AccessToken(file: file).text)"
            }
            if let small = Gzip.compress(bytes) {
                request.headers["Content-Encoding"] = "gzip"
                request.body = .data(Data(small))
            } else {
                request.body = .data(Data(bytes))
            }
            request.cutsBody = true
            let response = try await session.response(for: request)
            return outcome(response.statusCode, response.body)
        } catch {
            if !Task.isCancelled { health.failed("\(export.url.place): \(error)") }
            return .failed
        }
    }

    private func outcome(_ status: Int, _ body: Data) -> Outcome {
        guard (200..<300).contains(status) else {
            health.failed("\(export.url.place) answers \(status)")
            let isRefusal = (400..<500).contains(status) && ![401, 403, 404, 408, 429].contains(status)
            return isRefusal ? .refused : .failed
        }
        return .taken(body)
    }
}
