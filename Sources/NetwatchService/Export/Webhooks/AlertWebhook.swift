import Connectivity
import EventLoop
import FoundationEssentials
import History
import JSON
import Netwatch
import RequestEngine
import Synchronization

/// Tells an Alertmanager what is down: the state as it is whenever that changes, and once a minute while something is.
actor AlertWebhook: TellingExporter {
    private static let period = Duration.seconds(60)
    /// How long an alert goes on that is not repeated: this host may be cut off, or off.
    private static let lapse: UInt64 = 240_000_000_000
    private static let path = "api/v2/alerts"
    /// How often it is told at most: one request tells all that many events have changed.
    private static let pause = Duration.seconds(1)

    nonisolated let health: ExportHealth
    nonisolated let loop: EventLoop
    private nonisolated let news: Bell
    private nonisolated let sender: WebhookSender
    private nonisolated let work = Mutex<Task<Void, Never>?>(nil)
    private let settings: WebhookSettings
    private let origin: EventOrigin
    private let state: @Sendable () -> Event
    private var book = AlertBook()
    private var pace = DeliveryPace()
    private var sentAt: MonotonicTime?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// - Parameter state: Tells the state as it is, from any thread.
    init(
        _ settings: WebhookSettings, name: String, origin: EventOrigin, loop: EventLoop,
        state: @escaping @Sendable () -> Event
    ) throws(RequestError) {
        var settings = settings
        if !settings.url.path().hasSuffix(Self.path) { settings.url = settings.url.appending(path: Self.path) }
        self.settings = settings
        self.origin = origin
        self.loop = loop
        self.state = state
        health = ExportHealth(name)
        news = Bell(loop: loop)
        sender = try WebhookSender(settings, loop: loop)
    }

    nonisolated func start(after event: Event?) {
        if event != nil { news.ring() }
        let new = Task(executorPreference: loop) { await self.tellAll() }
        work.withLock { $0 = new }
    }

    nonisolated func take(_ event: Event) {
        news.ring()
    }

    func finish() async {
        let task = work.withLock { $0.take() }
        task?.cancel()
        await task?.value
    }

    private func tellAll() async {
        await news.wait()
        while !Task.isCancelled {
            if let sentAt { try? await loop.sleep(until: sentAt.advanced(by: Self.pause)) }
            guard !Task.isCancelled else { return }
            let step = await tell()
            switch step {
            case .again(let delay, let isAsked, let words):
                health.failed("\(settings.url.place): \(words)")
                if await news.pause(delay, isFixed: isAsked) { pace.hurry() }
            case .delivered, .refused:
                // What is told is repeated; where nothing fires, the next event is waited for.
                await news.wait(until: book.count > 0 ? .now.advanced(by: Self.period) : nil)
            }
        }
    }

    private func tell() async -> DeliveryPace.Step {
        let event = state()
        let now = Stamp.at(wall: event.timeNanoseconds, monotonic: event.monotonic)
        book.take(event, at: now, targets: settings.filter.targets)
        health.queued(book.count)
        guard book.count > 0 else { return .delivered }
        let lapse = UInt64(TimeText.seconds) * 1_000_000_000 + Self.lapse
        let body = Array(book.json(of: origin, at: now, lapse: lapse).text(options: .init(escapesSlashes: false)).utf8)
        sentAt = .now
        let answer = await sender.send(body, id: nil)
        guard !Task.isCancelled else { return .delivered }
        let step = pace.take(answer)
        switch step {
        case .delivered:
            book.told()
            health.succeeded("\(settings.url.place) takes what is sent")
            health.sent()
        case .refused(let status):
            health.failed("\(settings.url.place) answers \(status)")
            health.dropped(because: "alerts are not taken: \(settings.url.place) answers \(status)")
        case .again: break
        }
        return step
    }
}
