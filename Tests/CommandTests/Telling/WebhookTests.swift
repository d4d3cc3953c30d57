import Connectivity
import EventLoop
import Foundation
import History
import Netwatch
import RequestEngine
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import NetwatchService

@Suite("Events that are posted")
struct WebhookTests {
    private let folder: TemporaryFolder
    private let loop: EventLoop

    init() throws {
        folder = try TemporaryFolder()
        loop = try EventLoop(name: "test-webhook")
    }

    private static func origin(_ run: UInt64 = 7) -> EventOrigin {
        EventOrigin(id: "5c1a", name: "router-7", labels: ["site": "Bern"], epoch: run)
    }

    private func settings(_ url: String, _ change: (inout WebhookSettings) -> Void = { _ in }) throws -> WebhookSettings
    {
        var settings = WebhookSettings(url: try #require(URL(string: url)))
        change(&settings)
        return settings
    }

    private func webhook(
        _ settings: WebhookSettings, run: UInt64 = 7, history: History? = nil
    ) throws -> Webhook {
        try Webhook(
            settings, name: "webhook", origin: Self.origin(run), history: history, loop: loop)
    }

    private var path: String { folder.path.appending("history.db").string }

    /// Another test may be starting a program just now, which has all descriptors of this process until it runs, also one that
    /// was closed and that holds the lock.
    private func history() async throws -> History {
        try await arrival(of: "the history's lock") {
            do {
                let limits = History.Limits(path: path, days: 9, size: 100 << 20)
                return try History(limits, statuses: { nil }, tell: { _ in })
            } catch HistoryError.inUse {
                return nil
            }
        }
    }

    private func event(_ seq: UInt64, _ kind: Event.Kind = .transition) -> Event {
        var event = seq == 1 ? Event.snapshot() : .carrierLost
        (event.seq, event.kind) = (seq, seq == 1 ? .snapshot : kind)
        return event
    }

    private var recovery: Event {
        var event = Event.online
        event.seq = 99
        return event
    }

    private func ids(_ receiver: Receiver) -> [String] { receiver.posts.compactMap { $0["Idempotency-Key"] } }

    @Test(
        "carry the event's line, an id, a token, a signature that openssl agrees with, and the fields of the configuration",
        .timeLimit(.minutes(2)))
    func content() async throws {
        let receiver = try Receiver()
        let token = try folder.write("to.ken\n".utf8, to: "token").string
        let secret = try folder.write("It's-a-Secret\n".utf8, to: "secret").string
        let webhook = try webhook(
            try settings(receiver.url + "/a?b=c") {
                ($0.tokenFile, $0.secretFile, $0.headers) = (token, secret, ["X-Team": "net"])
            })
        webhook.start(after: nil)
        webhook.take(event(1))
        webhook.take(event(2))
        let posts = try await arrival(of: "both") { receiver.posts.count == 2 ? receiver.posts : nil }
        #expect(posts[0].header.hasPrefix("POST /a?b=c HTTP/1.1\r\n"))
        #expect(
            posts.map(\.body)
                == [1, 2].map { String(decoding: event($0).jsonLine(of: Self.origin()).dropLast(), as: UTF8.self) })
        #expect(ids(receiver) == ["7-1", "7-2"] && posts[1]["Content-Type"] == "application/json")
        #expect(posts[1]["Authorization"] == "Bearer to.ken" && posts[1]["X-Team"] == "net")
        let digest = try Self.digest(of: posts[1].body, key: "It's-a-Secret")
        #expect(posts[1]["X-Netwatch-Signature"] == "sha256=\(digest)")
        await webhook.finish()
    }

    /// What openssl makes of a body and a key, in hexadecimal digits.
    private static func digest(of body: String, key: String) throws -> String {
        let line = try Command.run(
            ["openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", "key:\(key)"], input: body)
        return try #require(line.split(separator: " ").last).trimmingCharacters(in: .newlines)
    }

    @Test(
        "carry a password, and are signed by a key, with blanks and any letters in it: the first line of its file",
        .timeLimit(.minutes(2)))
    func secrets() async throws {
        let receiver = try Receiver()
        // Latin-1, which is no UTF-8.
        let password = Array("my pass: gr".utf8) + [0xFC] + Array("n ".utf8)
        let passwordFile = try folder.write(password + Array("\r\nnot this\n".utf8), to: "password").string
        let secretFile = try folder.write("Ein Schlüssel mit = und \"\n".utf8, to: "secret").string
        let webhook = try webhook(
            try settings(receiver.url) {
                ($0.user, $0.passwordFile, $0.secretFile) = ("me", passwordFile, secretFile)
            })
        webhook.start(after: nil)
        webhook.take(event(1))
        let post = try await arrival(of: "the event") { receiver.posts.first }
        let credentials = Data(Array("me:".utf8) + password).base64EncodedString()
        #expect(post["Authorization"] == "Basic \(credentials)")
        let digest = try Self.digest(of: post.body, key: "Ein Schlüssel mit = und \"")
        #expect(post["X-Netwatch-Signature"] == "sha256=\(digest)")
        await webhook.finish()
    }

    @Test(
        "are tried again in their order: 503, 429 and 408 as long after as the server asks, 401 not",
        .timeLimit(.minutes(2)))
    func refusals() async throws {
        let receiver = try Receiver([
            .status(503, fields: "Retry-After: 1\r\n"), .status(429, fields: "Retry-After: 1\r\n"), .status(204),
            .status(401), .status(500),
        ])
        let webhook = try webhook(try settings(receiver.url))
        webhook.start(after: nil)
        let start = ContinuousClock.now
        for seq in 1...4 { webhook.take(event(UInt64(seq))) }
        _ = try await arrival(of: "the last") { ids(receiver).last == "7-4" ? true : nil }
        #expect(ids(receiver) == ["7-1", "7-1", "7-1", "7-2", "7-3", "7-3", "7-4"])
        #expect(ContinuousClock.now - start >= .seconds(2))
        await webhook.finish()
    }

    @Test(
        "are delivered by the header of the answer: a body without end delays the next by the time-out at most",
        .timeLimit(.minutes(2)))
    func endless() async throws {
        let receiver = try Receiver([.endless])
        let webhook = try webhook(try settings(receiver.url) { $0.timeout = .seconds(1) })
        webhook.start(after: nil)
        for seq in 1...3 { webhook.take(event(UInt64(seq))) }
        _ = try await arrival(of: "the last") { ids(receiver).last == "7-3" ? true : nil }
        #expect(ids(receiver) == ["7-1", "7-2", "7-3"])
        await webhook.finish()
    }

    @Test(
        "a peer that says nothing is tried again, at once when the way has become whole; the end waits for none",
        .timeLimit(.minutes(2)))
    func silence() async throws {
        let receiver = try Receiver(Array(repeating: .silence, count: 9))
        let webhook = try webhook(try settings(receiver.url) { $0.timeout = .milliseconds(300) })
        webhook.start(after: nil)
        webhook.take(event(1))
        // By now some seconds lie between two tries.
        _ = try await arrival(of: "the fourth try") { ids(receiver).count >= 4 ? true : nil }
        _ = try await arrival(of: "the failure") { webhook.health.isWell == false ? true : nil }
        let count = ids(receiver).count
        let start = ContinuousClock.now
        webhook.take(recovery)
        _ = try await arrival(of: "the next try") { ids(receiver).count > count ? true : nil }
        #expect(ContinuousClock.now - start < .seconds(40))
        await webhook.finish()
        #expect(Set(ids(receiver)) == ["7-1"])
    }

    @Test(
        "a certificate that is not trusted is no receiver; with its authority's file it is",
        .enabled(if: NginxServer.isInstalled, "nginx is not installed"), .timeLimit(.minutes(2)))
    func trust() async throws {
        let authority = try CertificateAuthority()
        let (good, port) = (try authority.issue("localhost"), try FreePort.next())
        let server = try NginxServer(
            servers: """
                server {
                    listen \(port) ssl; ssl_certificate \(good.chainFile); ssl_certificate_key \(good.keyFile);
                    location / { return 204; }
                }
                """)
        let url = "https://localhost:\(port)/hook"
        let stranger = try webhook(try settings(url))
        stranger.start(after: nil)
        stranger.take(event(1))
        _ = try await arrival(of: "the refusal") { stranger.health.isWell == false ? true : nil }
        #expect(stranger.health.words.contains("certificate"), "\(stranger.health.words)")
        await stranger.finish()
        #expect(!server.accessLog.contains { $0.contains("/hook") })
        let known = try webhook(try settings(url) { $0.caFile = authority.rootFile })
        known.start(after: nil)
        known.take(event(1))
        _ = try await arrival(of: "the delivery") { known.health.isWell == true ? true : nil }
        await known.finish()
        #expect(try await server.logged(1, containing: "POST /hook HTTP/1.1 204") == 1)
    }

    @Test(
        "what an earlier run did not deliver goes first, in order, and what nobody knows any more is a gap",
        .timeLimit(.minutes(2)))
    func runs() async throws {
        let down = try settings("http://127.0.0.1:\(try FreePort.next())/")
        var runs: [UInt64] = []
        do {
            let history = try await history()
            runs.append(history.run)
            let webhook = try webhook(down, run: history.run, history: history)
            webhook.start(after: nil)
            for seq in [1, 2, 3, 6, 9] as [UInt64] {
                var event = event(seq)
                // One that stands for those before it is no gap.
                event.skipped = seq == 9 ? 2 : 0
                webhook.take(event)
                history.put(HistoryNote(event, of: Self.origin(history.run)))
            }
            _ = try await arrival(of: "the failure") { webhook.health.isWell == false ? true : nil }
            await webhook.finish()
            await history.close()
        }
        let history = try await history()
        #expect(DeliveryMark(of: down.url.absoluteString, in: history).place == EventCursor(run: runs[0], seq: 0))
        runs.append(history.run)
        let receiver = try Receiver()
        // The same one, at another address.
        let here = try settings(receiver.url)
        DeliveryMark(of: here.url.absoluteString, in: history).put(EventCursor(run: runs[0], seq: 1))
        let webhook = try webhook(here, run: history.run, history: history)
        webhook.start(after: nil)
        webhook.take(event(1))
        webhook.take(event(2))
        _ = try await arrival(of: "the last") { ids(receiver).last == "\(runs[1])-2" ? true : nil }
        let (first, second) = (runs[0], runs[1])
        #expect(
            ids(receiver) == [
                "\(first)-2", "\(first)-3", "gap-\(first)-3-\(first)-5", "\(first)-6", "\(first)-9", "\(second)-1",
                "\(second)-2",
            ])
        #expect(receiver.posts[2].body.contains("\"kind\":\"gap\""))
        await webhook.finish()
        await history.close()
        let next = try await self.history()
        #expect(DeliveryMark(of: here.url.absoluteString, in: next).place == EventCursor(run: second, seq: 2))
        await next.close()
    }

    @Test(
        "one that comes into a run that goes on is told at once of what waits for it, and counts it",
        .timeLimit(.minutes(2)))
    func reload() async throws {
        var history = try await history()
        let first = history.run
        for seq in [1, 2] as [UInt64] { history.put(HistoryNote(event(seq), of: Self.origin(first))) }
        await history.close()
        history = try await self.history()
        let run = history.run
        for seq in 1...5 as ClosedRange<UInt64> { history.put(HistoryNote(event(seq), of: Self.origin(run))) }
        let receivers = [try Receiver(), try Receiver()]
        let wanted = [["\(run)-3", "\(run)-4", "\(run)-5"], ["\(first)-2"] + (1...5).map { "\(run)-\($0)" }]
        for (index, mark) in [EventCursor(run: run, seq: 2), EventCursor(run: first, seq: 1)].enumerated() {
            let settings = try settings(receivers[index].url)
            DeliveryMark(of: settings.url.absoluteString, in: history).put(mark)
            let webhook = try webhook(settings, run: run, history: history)
            webhook.start(after: event(5))
            _ = try await arrival(of: "all that waits") { ids(receivers[index]) == wanted[index] ? true : nil }
            await webhook.finish()
        }
        await history.close()
    }

    @Test(
        "what an earlier run had more and the history has removed is a gap", .timeLimit(.minutes(2)),
        arguments: [false, true])
    func removed(isReload: Bool) async throws {
        let past = try await self.history()
        // No more than nine days are kept.
        let old = Stamp(wall: Stamp.now.wall - 10 * 86_400_000_000_000, monotonic: 0, boot: 0)
        for seq in 1...3 as ClosedRange<UInt64> {
            var note = HistoryNote(event(seq), of: Self.origin(past.run))
            note.stamp = old
            past.put(note)
        }
        await past.close()
        let history = try await self.history()
        let (first, run) = (past.run, history.run)
        try await expectSoon("the removal") {
            try await history.read { try $0.forgotten() } == EventCursor(run: first, seq: 3)
        }
        for seq in 1...2 as ClosedRange<UInt64> { history.put(HistoryNote(event(seq), of: Self.origin(run))) }
        let receiver = try Receiver()
        let here = try settings(receiver.url)
        DeliveryMark(of: here.url.absoluteString, in: history).put(EventCursor(run: first, seq: 1))
        let webhook = try webhook(here, run: run, history: history)
        // From the history the one, from memory the other.
        webhook.start(after: isReload ? event(2) : nil)
        if !isReload { for seq in 1...2 as ClosedRange<UInt64> { webhook.take(event(seq)) } }
        _ = try await arrival(of: "the last") { ids(receiver).last == "\(run)-2" ? true : nil }
        #expect(ids(receiver) == ["gap-\(first)-1-\(first)-3", "\(run)-1", "\(run)-2"])
        await webhook.finish()
        await history.close()
    }

    @Test(
        "what an earlier run did not deliver goes first, too, where the history is there only after the start",
        .timeLimit(.minutes(2)))
    func late() async throws {
        let receiver = try Receiver()
        let here = try settings(receiver.url)
        let past = try await self.history()
        for seq in 1...3 as ClosedRange<UInt64> { past.put(HistoryNote(event(seq), of: Self.origin(past.run))) }
        DeliveryMark(of: here.url.absoluteString, in: past).put(EventCursor(run: past.run, seq: 1))
        await past.close()
        // Of the run before nothing is known: this one has the number of its second.
        try await Task.sleep(for: .milliseconds(1100))
        let away = folder.path.string + "-away"
        try FileManager.default.moveItem(atPath: folder.path.string, toPath: away)
        defer { try? FileManager.default.removeItem(atPath: away) }
        let history = try History(
            .init(path: path, days: 9, size: 100 << 20), whenUnusable: .wait, period: .milliseconds(20),
            statuses: { nil }, tell: { _ in })
        let (first, run) = (past.run, history.run)
        let mark = DeliveryMark(of: here.url.absoluteString, in: history)
        let webhook = try webhook(here, run: run, history: history)
        webhook.start(after: nil)
        try await expectSoon("its beginning") { mark.place == EventCursor(run: run, seq: 0) }
        try FileManager.default.moveItem(atPath: away, toPath: folder.path.string)
        try await expectSoon("the history") { mark.place == EventCursor(run: first, seq: 1) }
        // What was on its way as the history came is noted after what goes first.
        #expect(!mark.put(EventCursor(run: run, seq: 1), after: EventCursor(run: run, seq: 0)))
        #expect(mark.place == EventCursor(run: first, seq: 1))
        webhook.take(event(1))
        _ = try await arrival(of: "the last") { ids(receiver).last == "\(run)-1" ? true : nil }
        #expect(ids(receiver) == ["\(first)-2", "\(first)-3", "\(run)-1"])
        await webhook.finish()
        await history.close()
    }

    @Test(
        "what is not in memory is a gap where the history cannot be read for long, and all else is told",
        .timeLimit(.minutes(2)))
    func unreadable() async throws {
        let history = try await history()
        let run = history.run
        let receiver = try Receiver()
        let here = try settings(receiver.url)
        DeliveryMark(of: here.url.absoluteString, in: history).put(EventCursor(run: run, seq: 4))
        await history.close()
        try FileManager.default.removeItem(atPath: path)
        let webhook = try webhook(here, run: run, history: history)
        webhook.start(after: event(8))
        webhook.take(event(9))
        _ = try await arrival(of: "the event after it") { ids(receiver).last == "\(run)-9" ? true : nil }
        #expect(ids(receiver) == ["gap-\(run)-4-\(run)-8", "\(run)-9"])
        await webhook.finish()
    }

    @Test(
        "one that ends with a request under way takes back nothing of how far the one in its place is",
        .timeLimit(.minutes(2)))
    func exchange() async throws {
        let history = try await history()
        let run = history.run
        for seq in 1...3 as ClosedRange<UInt64> { history.put(HistoryNote(event(seq), of: Self.origin(run))) }
        let receiver = try Receiver([.late(milliseconds: 1500)])
        let here = try settings(receiver.url)
        let old = try webhook(here, run: run, history: history)
        old.start(after: nil)
        old.take(event(1))
        _ = try await arrival(of: "its request") { receiver.posts.isEmpty ? nil : true }
        let new = try webhook(here, run: run, history: history)
        new.start(after: event(3))
        let end = Task { await old.finish() }
        _ = try await arrival(of: "the last") { ids(receiver).last == "\(run)-3" ? true : nil }
        await new.finish()
        await end.value
        #expect(DeliveryMark(of: here.url.absoluteString, in: history).place == EventCursor(run: run, seq: 3))
        await history.close()
    }

    @Test("what becomes a gap is counted and told once, however often it is tried", .timeLimit(.minutes(2)))
    func toldGap() async throws {
        let lines = Mutex<[String]>([])
        let receiver = try Receiver([.status(503), .status(503)])
        let webhook = try Webhook(
            try settings(receiver.url), name: "webhook", origin: Self.origin(), history: nil, loop: loop
        ) { line in lines.withLock { $0.append(line) } }
        for seq in 1...UInt64(RecentEvents.most + 5) { webhook.take(event(seq)) }
        webhook.start(after: nil)
        _ = try await arrival(of: "the event after it") { ids(receiver).contains("7-6") ? true : nil }
        #expect(ids(receiver).count { $0 == "gap-7-0-7-5" } == 3)
        let told = lines.withLock { $0 }.filter { $0.contains("given up") }
        #expect(told == ["webhook: 5 events after 7-0 up to 7-5 are given up: it hears of a gap"])
        await webhook.finish()
    }

    @Test("what waits is counted in memory and in the history")
    func waiting() {
        var waiting = WaitingEvents(run: 7, delivered: EventCursor(run: 7, seq: 3))
        #expect(waiting.count == 0)
        waiting.last = 10_987
        #expect(waiting.count == 10_984)
        (waiting.delivered, waiting.earlier) = (EventCursor(run: 6, seq: 9), 4)
        #expect(waiting.count == 10_991)
    }

    @Test("of more than are kept, the oldest are a gap: in memory, and in the history", .timeLimit(.minutes(2)))
    func bounds() async throws {
        let history = try await history()
        let origin = Self.origin(history.run)
        let run = history.run
        let last = UInt64(UndeliveredEvents.most + 100)
        for seq in 1...last {
            history.put(HistoryNote(event(seq), of: origin))
            if seq % 1000 == 0 { await history.flush(isUrgent: true) }
        }
        await history.flush(isUrgent: true)
        var undelivered = UndeliveredEvents(
            origin: Self.origin(run + 1), history: history, filter: EventFilter(kinds: [], targets: []))
        var place = EventCursor(run: run, seq: 0)
        var numbers: [UInt64] = []
        while let next = try await undelivered.next(after: place, { _ in nil }) {
            switch next {
            case .gap(let first, let end, let count):
                #expect(numbers.isEmpty && first == place && end == EventCursor(run: run, seq: 100) && count == 100)
                place = end
            case .event(_, _, let end):
                numbers.append(end.seq)
                place = end
            }
        }
        #expect(numbers == Array(101...last))
        await history.close()

        var recent = RecentEvents()
        for seq in 1...UInt64(RecentEvents.most + 5) { recent.append(event(seq)) }
        #expect(recent.count == RecentEvents.most && recent.event(after: 0)?.seq == 6)
        var alone = UndeliveredEvents(origin: Self.origin(), history: nil, filter: EventFilter(kinds: [], targets: []))
        let next = try await alone.next(after: EventCursor(run: 7, seq: 0)) { [recent] in recent.event(after: $0) }
        guard case .gap(_, let end, 5) = next else { return #expect(Bool(false), "\(String(describing: next))") }
        #expect(end == EventCursor(run: 7, seq: 5))
    }

    @Test("the next try is later each time, or when the server says; what will never be taken is not tried again")
    func pace() {
        var pace = DeliveryPace()
        #expect(pace.take(.failure("a"), chance: 0) == .again(after: .seconds(1), isAsked: false, because: "a"))
        #expect(
            pace.take(.status(500, retryAfter: nil), chance: 0)
                == .again(after: .seconds(2), isAsked: false, because: "answers 500"))
        #expect(
            pace.take(.status(503, retryAfter: .seconds(9)), chance: 0)
                == .again(after: .seconds(9), isAsked: true, because: "answers 503"))
        #expect(
            pace.take(.status(429, retryAfter: .seconds(1 << 31)), chance: 0)
                == .again(after: .seconds(3600), isAsked: true, because: "answers 429"))
        // No time at all, or one that has passed by this host's clock, is no reason to hurry.
        #expect(
            pace.take(.status(429, retryAfter: .zero), chance: 0)
                == .again(after: .seconds(16), isAsked: true, because: "answers 429"))
        for _ in 0..<20 { _ = pace.take(.failure("a"), chance: 0) }
        #expect(pace.take(.failure("a"), chance: 0) == .again(after: .seconds(300), isAsked: false, because: "a"))
        for status in [301, 400, 401, 403, 404, 410, 422] {
            #expect(pace.take(.status(status, retryAfter: nil)) == .refused(status: status))
        }
        #expect(pace.take(.status(202, retryAfter: nil)) == .delivered)
        #expect(pace.take(.failure("a"), chance: 0) == .again(after: .seconds(1), isAsked: false, because: "a"))
    }

    @Test("the wait grows with failures, not with each return of a way that comes and goes")
    func flappingWay() {
        var pace = DeliveryPace()
        for _ in 0..<50 {
            _ = pace.take(.failure("a"), chance: 0)
            pace.hurry()
        }
        #expect(pace.take(.failure("a"), chance: 0) == .again(after: .seconds(1), isAsked: false, because: "a"))
        // A receiver that answers is spared as before.
        let refusal = DeliveryPace.Answer.status(503, retryAfter: nil)
        for _ in 0..<2 { _ = pace.take(refusal, chance: 0) }
        for _ in 0..<50 {
            pace.hurry()
            #expect(pace.take(refusal, chance: 0) == .again(after: .seconds(4), isAsked: false, because: "answers 503"))
        }
    }
}
