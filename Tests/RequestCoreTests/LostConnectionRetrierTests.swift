import EventLoop
import Foundation
import RequestCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("The retrier of lost connections")
struct LostConnectionRetrierTests {
    /// Fails so often, in one way, and lets the rest through.
    private final class Losses: Interceptor {
        private let error: RequestError
        private let left: Mutex<Int>

        init(_ count: Int, _ reason: RequestError.Reason, isConnectionReused: Bool = true) {
            left = Mutex(count)
            var metrics = RequestMetrics()
            metrics.isConnectionReused = isConnectionReused
            error = RequestError(reason, metrics: metrics)
        }

        func respond(
            to exchange: Exchange, next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
        ) async throws(RequestError) -> Response {
            let isLost = left.withLock { left in
                left -= 1
                return left >= 0
            }
            if isLost { throw error }
            return try await next(exchange)
        }
    }

    private func outcome(_ losses: Losses, _ method: RequestMethod = .get) async throws -> Result<Int, RequestError> {
        let server = try EchoServer()
        var configuration = SessionConfiguration.default
        configuration.interceptors = [Attempts(retriers: [LostConnectionRetrier()]), losses]
        let session = try Session(configuration: configuration, loop: EventLoop())
        let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")), method: method)
        do throws(RequestError) {
            let status = try await session.response(for: request).statusCode
            #expect(server.takeRequests().count == 1)
            return .success(status)
        } catch {
            #expect(server.takeRequests().isEmpty)
            return .failure(error)
        }
    }

    @Test(
        "a request that was lost on a used connection is sent again",
        arguments: [RequestError.Reason.emptyResponse, .connectionLost(received: 0, .connectionReset)])
    func lost(reason: RequestError.Reason) async throws {
        #expect(try await outcome(Losses(1, reason)).get() == 200)
    }

    @Test("it is sent again once only")
    func once() async throws {
        await #expect(throws: RequestError.self) { try await outcome(Losses(2, .emptyResponse)).get() }
    }

    @Test(
        "not where some of the answer has come, nor for another failure",
        arguments: [RequestError.Reason.connectionLost(received: 5, nil), .resolve(host: "host"), .cancelled])
    func otherReasons(reason: RequestError.Reason) async throws {
        await #expect(throws: RequestError.self) { try await outcome(Losses(1, reason)).get() }
    }

    @Test("not over a connection of its own")
    func freshConnection() async throws {
        let losses = Losses(1, .emptyResponse, isConnectionReused: false)
        await #expect(throws: RequestError.self) { try await outcome(losses).get() }
    }

    @Test("not where sending twice is not sending once", arguments: [RequestMethod.post, .patch])
    func method(method: RequestMethod) async throws {
        await #expect(throws: RequestError.self) { try await outcome(Losses(1, .emptyResponse), method).get() }
    }
}
