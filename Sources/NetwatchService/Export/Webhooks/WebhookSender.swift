import EventLoop
import FoundationEssentials
import RequestCore
import Synchronization

/// Sends a webhook's requests, and tells what came of each.
final class WebhookSender: Sendable {
    /// So much of an answer's body is read, so that the connection can be used again.
    private static let mostBody = 64 << 10

    private let settings: WebhookSettings
    private let loop: EventLoop
    private let session: Mutex<Session>

    /// - Throws: ``RequestError`` where there is no session to be had.
    init(_ settings: WebhookSettings, loop: EventLoop) throws(RequestError) {
        self.settings = settings
        self.loop = loop
        session = Mutex(try Session(configuration: settings.sessionConfiguration(), loop: loop))
    }

    /// Sends something once. The header of the answer decides: a body that does not end changes nothing.
    func send(_ body: [UInt8], id: String?) async -> DeliveryPace.Answer {
        do {
            let request = try settings.request(body, id: id)
            let answer = try await session.withLock { $0 }.stream(request)
            await drain(answer)
            return .status(answer.head.statusCode, retryAfter: RetryAfter.delay(answer.head.headers))
        } catch {
            return .failure("\(error)")
        }
    }

    /// Lets go of the connections that are kept.
    func forgetConnections() {
        guard let new = try? Session(configuration: settings.sessionConfiguration(), loop: loop) else { return }
        session.withLock { $0 = new }
    }

    private func drain(_ answer: ResponseStream) async {
        var count = 0
        do {
            for try await piece in answer.body {
                count += piece.count
                guard count < Self.mostBody else { return }
            }
        } catch {
            // It was taken or refused all the same.
        }
    }
}
