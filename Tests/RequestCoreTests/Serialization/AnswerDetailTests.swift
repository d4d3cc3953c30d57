import EventLoop
import Foundation
import RequestCore
import TestSupport
import Testing

@Suite("Answers without content, and text that is none")
struct AnswerDetailTests {
    @Test("a status without a body is no value and no error, whatever reads it", arguments: [204, 205, 304])
    func noContent(status: Int) throws {
        var validation = ResponseValidation()
        validation.statusCodes = [204, 205, 304]
        for type in [nil, "application/x-plist", "image/png"] {
            let response = try Response([], type: type, status: status)
            let list = PropertyListResponseSerializer(validation: validation).serialize(response)
            #expect(list.value == nil && list.error == nil)
            let image = ImageResponseSerializer(validation: validation).serialize(response)
            #expect(image.value == nil && image.error == nil)
        }
    }

    @Test("an answer to HEAD is no value and no error, whatever reads it")
    func headerAlone() async throws {
        let server = try SocketServer { connection in
            while connection.readRequest().hasPrefix("HEAD") {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            }
        }
        let api = try HTTPSession("http://127.0.0.1:\(server.port)")
        let request = try api.request(.head, "/")
        #expect(try await api.send(request, as: PropertyListResponseSerializer()).value == nil)
        #expect(try await api.send(request, as: ImageResponseSerializer()).value == nil)
        #expect(try await api.send(request, as: JSONResponseSerializer()).value == nil)
        #expect(try await api.send(request, as: DecodableResponseSerializer([Int].self)).value == nil)
        #expect(try await api.send(request, as: StringResponseSerializer()).value == "")
        #expect(try await api.head("/").response.hasNoContent)
    }

    @Test("an empty property list with another status is an error")
    func emptyPropertyList() throws {
        let response = try Response([], type: "application/x-plist")
        #expect(PropertyListResponseSerializer().serialize(response).error?.format == "a property list")
    }

    @Test(
        "text that is not valid in its charset is an error where that is asked for",
        arguments: [
            ("utf-8", [0x41, 0xFF, 0x42]), ("utf-8", [0xC3]), ("shift_jis", [0x41, 0x93]), ("utf-16le", [0x41]),
            ("utf-16le", [0x00, 0xD8]), ("euc-jp", [0xFF]), (nil as String?, []),
        ] as [(String?, [UInt8])])
    func invalidText(charset: String?, bytes: [UInt8]) throws {
        let response = try Response(bytes, type: charset.map { "text/plain;charset=\($0)" })
        let strict = StringResponseSerializer(refusesInvalidText: true).serialize(response)
        if charset == nil {
            #expect(strict.value == "" && strict.error == nil)
        } else {
            #expect(strict.value == nil && strict.error?.format == "text")
            #expect(strict.error?.description.contains("it is not valid ") == true)
            #expect(StringResponseSerializer().serialize(response).error == nil)
        }
    }

    @Test(
        "valid text is read in the same way, asked for or not",
        arguments: [
            ("utf-8", [0xEF, 0xBB, 0xBF, 0xC3, 0xA4]), ("shift_jis", [0x93, 0xFA]), ("latin1", [0xE4]),
            ("utf-16le", [0x3D, 0xD8, 0x00, 0xDE]),
        ] as [(String, [UInt8])])
    func validText(charset: String, bytes: [UInt8]) throws {
        let response = try Response(bytes, type: "text/plain;charset=\(charset)")
        let strict = try StringResponseSerializer(refusesInvalidText: true).serialize(response).get()
        #expect(try strict == StringResponseSerializer().serialize(response).get())
        #expect(strict?.isEmpty == false)
    }

    @Test(
        "a unit that is no text leaves all others as they are",
        arguments: [
            ("utf-16le", [0x61, 0, 0x00, 0xD8, 0x62, 0, 0x63, 0]),
            ("utf-16", [0xFE, 0xFF, 0, 0x61, 0xDC, 0x00, 0, 0x62, 0, 0x63]),
            ("utf-32", [0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0, 0x00, 0xD8, 0, 0, 0x62, 0, 0, 0, 0x63, 0, 0, 0]),
        ] as [(String, [UInt8])])
    func loneSurrogate(charset: String, bytes: [UInt8]) throws {
        let response = try Response(bytes, type: "text/plain;charset=\(charset)")
        #expect(try StringResponseSerializer().serialize(response).get() == "a\u{FFFD}bc")
    }

    @Test("bitmaps are taken under their old name, too")
    func oldBitmap() throws {
        #expect(ImageResponseSerializer.contentTypes.contains(MediaType("image", "x-ms-bmp")))
    }

    @Test("a cost below zero counts as none, and one beyond all bounds does no harm")
    func costs() {
        var cache = CostCache<String, Int>(capacity: 100)
        cache.insert(1, for: "a", cost: -1000)
        #expect(cache.usage == 0)
        cache.insert(2, for: "b", cost: 90)
        #expect(cache.insert(3, for: "c", cost: 20) == ["a", "b"])
        #expect(cache.usage == 20)
        cache.insert(4, for: "d", cost: .max)
        cache.insert(5, for: "e", cost: .max)
        #expect(cache.usage >= 0)
        cache.removeAll()
        #expect(cache.usage == 0)
    }

    @Test("what Foundation says of an error is its description")
    func localizedDescriptions() throws {
        let response = try Response([], status: 500)
        let url = "http://example.com/path"
        let errors: [any Error & CustomStringConvertible] = [
            RequestError(.emptyResponse), HTTPSessionError.transfer(RequestError(.cancelled)),
            HTTPMessageError.invalidMethod("a b"), SecurityError.noCertificates(path: "/x"),
            AuthenticationError.missingToken, RequestSerializationError.invalidURL(url),
            ResponseSerializationError(.unacceptableStatus(500), response), MultipartError.tooLong,
            TextEncodingError.unavailable("x"),
        ]
        for error in errors {
            #expect((error as any Error).localizedDescription == error.description)
            #expect((error as NSError).localizedDescription == error.description)
        }
    }

    @Test("a suspension right after a start is told after it")
    func suspensionAtOnce() async throws {
        for _ in 0..<50 {
            let gate = try Signal()
            let server = try SocketServer { connection in
                connection.readRequest()
                gate.wait()
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            let stream = EventStream()
            var configuration = SessionConfiguration.default
            configuration.monitors = [stream]
            let session = try Session(configuration: configuration, loop: EventLoop())
            let task = session.dataTask(
                Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/"))))
            task.resume()
            task.suspend()
            var steps: [String] = []
            for await event in stream.events {
                switch event.kind {
                case .resumed: steps.append("resumed")
                case .suspended: steps.append("suspended")
                default: continue
                }
                if steps.count == 2 { task.resume() }
                if steps.count == 3 { break }
            }
            #expect(steps == ["resumed", "suspended", "resumed"])
            gate.fire()
            #expect(try await task.value.statusCode == 200)
        }
    }
}
