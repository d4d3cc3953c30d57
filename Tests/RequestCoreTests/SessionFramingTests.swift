import EventLoop
import Foundation
import RequestCore
import TestSupport
import Testing

@Suite("Answers that leave in doubt where they end")
struct SessionFramingTests {
    let session: Session

    init() throws {
        session = try Session(loop: EventLoop())
    }

    /// Asks a server that answers each request with these bytes; how often it was asked.
    func answer(
        _ bytes: String, method: RequestMethod = .get, interceptors: [any Interceptor] = []
    ) async throws -> (result: Result<Response, RequestError>, count: Int) {
        let count = Counter()
        let server = try SocketServer { connection in
            connection.readRequest()
            count.next()
            connection.send(bytes)
        }
        var request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")), method: method)
        request.timeouts = Timeouts(connect: .seconds(20), idle: .seconds(20), total: .seconds(60))
        request.interceptors = interceptors
        do throws(RequestError) {
            return (.success(try await session.response(for: request)), count.value)
        } catch {
            return (.failure(error), count.value)
        }
    }

    func expectMalformed(_ result: Result<Response, RequestError>, _ words: String) {
        guard case .failure(let error) = result, case .malformedResponse(let explanation) = error.reason else {
            Issue.record("\(result)")
            return
        }
        #expect(words.isEmpty || explanation.contains(words), "\(explanation)")
    }

    @Test(
        "two lengths that differ are refused",
        arguments: [
            "Content-Length: 2\r\nContent-Length: 5", "Content-Length: 2, 5",
            "content-length: 5\r\nX: y\r\nContent-Length: 2",
        ])
    func conflictingLengths(fields: String) async throws {
        let (result, _) = try await answer("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nhello")
        expectMalformed(result, "two lengths are stated")
    }

    @Test(
        "one length that is said twice is taken",
        arguments: ["Content-Length: 5\r\nContent-Length: 5", "Content-Length: 5, 5"])
    func repeatedLength(fields: String) async throws {
        let (result, _) = try await answer("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nhello")
        #expect(try result.get().body == Data("hello".utf8))
    }

    @Test(
        "what is no length is refused",
        arguments: [
            "99999999999999999999999", "9223372036854775808", "-1", "+5", "5 5", "0x5", "5;", "five", "", "5,", "٥",
        ])
    func noLength(text: String) async throws {
        let (result, _) = try await answer("HTTP/1.1 200 OK\r\nContent-Length: \(text)\r\n\r\nhello")
        guard case .failure(let error) = result, case .malformedResponse = error.reason else {
            Issue.record("\(result)")
            return
        }
    }

    @Test(
        "an answer whose first line names no status is refused",
        arguments: ["http/1.1 200 OK", "HTTP/1.1 200;OK", "HTTP/1.1 200,", "Http/1.1 404 Not Found"])
    func status(line: String) async throws {
        let (result, _) = try await answer("\(line)\r\nContent-Length: 2\r\n\r\nok")
        expectMalformed(result, "status")
    }

    @Test(
        "a line that looks like another status is none where no header may begin",
        arguments: [
            "HTTP/1.1 200 O:K\r\nContent-Length: 2\r\n\r\nok",
            "Content-Length: 2\r\nHTTP/1.1 200 O:K\r\n\r\nok",
            "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nHTTP/1.1 200 O:K\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n0\r\nHTTP/1.1 200 O:K\r\n\r\n",
        ])
    func falseStatus(rest: String) async throws {
        for information in ["", "HTTP/1.1 103 Early Hints\r\nX-A: 0\r\n\r\n"] {
            let (result, _) = try await answer("\(information)HTTP/1.1 403 No\r\nX-A: 1\r\n\(rest)")
            let response = try result.get()
            #expect(response.statusCode == 403)
            #expect(response.headers.values(of: "X-A") == ["1"])
            #expect(response.trailers.isEmpty)
        }
    }

    @Test("lengths that differ are refused in the answer to HEAD, too")
    func head() async throws {
        let fields = "Content-Length: 2\r\nContent-Length: 5"
        let (result, _) = try await answer("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n", method: .head)
        expectMalformed(result, "two lengths are stated")
    }

    @Test("a length beside chunks does not count")
    func lengthAndChunks() async throws {
        let (result, _) = try await answer(
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
        )
        #expect(try result.get().body == Data("hello".utf8))
    }

    @Test("a folded header line is one value", arguments: ["\r\n ", "\r\n\t", "\r\n  \t ", " \r\n "])
    func folded(fold: String) async throws {
        let (result, _) = try await answer(
            "HTTP/1.1 200 OK\r\nX-Long: one\(fold)two\(fold)three\r\nX-Next: 4\r\nContent-Length: 2\r\n\r\nok")
        let response = try result.get()
        #expect(response.headers["X-Long"] == "one two three")
        #expect(response.headers["X-Next"] == "4")
        #expect(response.body == Data("ok".utf8))
    }

    @Test("a header is folded into so many lines and no more, each for itself")
    func manyFolds() async throws {
        func twice(folded count: Int) async throws -> Result<Response, RequestError> {
            let field = "one" + String(repeating: "\r\n x", count: count)
            let fields = "X-A: \(field)\r\nX-B: \(field)\r\nContent-Length: 2"
            return try await answer("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nok").result
        }
        let value = "one" + String(repeating: " x", count: 64)
        #expect(try await twice(folded: 64).get().headers.map(\.value) == [value, value, "2"])
        expectMalformed(try await twice(folded: 65), "a header is folded into more than 64 lines")
    }

    @Test(
        "a folded line that says where the body ends, or what it is, is refused",
        arguments: [
            "Content-Length:\r\n 2", "Transfer-Encoding:\r\n chunked", "Content-Encoding:\r\n gzip",
            "Connection: keep-alive,\r\n close",
        ])
    func foldedFraming(field: String) async throws {
        let (result, _) = try await answer("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n2\r\nok\r\n0\r\n\r\n")
        guard case .failure(let error) = result, case .malformedResponse = error.reason else {
            Issue.record("\(result)")
            return
        }
    }

    @Test(
        "a blank before the colon of what says where the body ends is refused, and before another passed over",
        arguments: ["Content-Length : 2", "transfer-encoding\t: chunked", "X-Other : 2"])
    func blankBeforeColon(field: String) async throws {
        let (result, _) = try await answer("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n2\r\nok\r\n0\r\n\r\n")
        guard field.hasPrefix("X-") else { return expectMalformed(result, "cannot be read") }
        #expect(try result.get().headers.isEmpty)
    }

    @Test("a header line with a carriage return in its middle is refused, not halved")
    func carriageReturn() async throws {
        for field in ["X-A: one\rtwo", "X-A: one\rContent-Length: 1", "X-A\r: one"] {
            let (result, _) = try await answer("HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: 2\r\n\r\nok")
            // A name that ends so is refused by libcurl already, in words of its own.
            expectMalformed(result, field.hasPrefix("X-A:") ? "a carriage return in its middle" : "")
        }
        let (result, _) = try await answer("HTTP/1.1 200 OK\r\nX-A: one\r\r\nContent-Length: 2\r\n\r\nok")
        #expect(try result.get().headers["X-A"] == "one")
    }

    @Test("a line that goes on no field is refused")
    func foldedNothing() async throws {
        let (result, _) = try await answer("HTTP/1.1 200 OK\r\n Content-Length: 2\r\n\r\nok")
        expectMalformed(result, "")
    }

    @Test("what goes on a line that is no field is no part of the field before")
    func foldedGarbage() async throws {
        let (result, _) = try await answer(
            "HTTP/1.1 200 OK\r\nX-A: 1\r\nno field: 2\r\n 3\r\nContent-Length: 2\r\n\r\nok")
        #expect(try result.get().headers["X-A"] == "1")
    }

    @Test(
        "chunks that cannot be read are a malformed answer, which nobody asks for again",
        arguments: [
            "xyz\r\nok\r\n", "fffffffffffffffff\r\nok\r\n", "ffffffffffffffff\r\nok\r\n", "-2\r\nok\r\n",
            "2\r\nokX\r\n",
            "2\r\nok\r\n\r\n", "2\r\nok\r\nzz\r\n", " 2\r\nok\r\n0\r\n\r\n",
        ])
    func malformedChunks(chunks: String) async throws {
        let retries = Attempts(retriers: [
            RetryPolicy { $0.backoff = Backoff(base: .milliseconds(1)) }, LostConnectionRetrier(),
        ])
        let (result, count) = try await answer(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, interceptors: [retries])
        guard case .failure(let error) = result, case .malformedResponse = error.reason else {
            Issue.record("\(result)")
            return
        }
        #expect(count == 1)
    }

    @Test("chunks that end too early are a broken connection, which may be tried again")
    func shortChunks() async throws {
        let retries = Attempts(retriers: [RetryPolicy { $0.backoff = Backoff(base: .milliseconds(1)) }])
        let (result, count) = try await answer(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nten bytes.", interceptors: [retries])
        guard case .failure(let error) = result, case .connectionLost(received: 10, _) = error.reason else {
            Issue.record("\(result)")
            return
        }
        #expect(count == 3)
    }
}
