import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import RequestCore
import Testing

/// An application's file: the request core beside Foundation, SwiftNIO and the HTTP types, each name without its module.
@Suite("The request core beside Foundation, SwiftNIO and the HTTP types")
struct RequestNamesTests {
    @Test("leaves every name to whom it belongs")
    func names() {
        let headers: HTTPHeaders = ["Accept": "text/plain"]
        let method: HTTPMethod = .GET
        let version: HTTPVersion = .http1_1
        let loop: (any EventLoop)? = nil
        let status: HTTPResponseStatus = .ok
        let fields: HTTPFields = [.accept: "text/plain"]
        let request = HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/")
        let response = HTTPResponse(status: .noContent)
        let timer: Timer? = nil
        #expect(headers.first(name: "accept") == "text/plain" && method.rawValue == "GET" && version.major == 1)
        #expect(loop == nil && timer == nil && status.code == 200 && fields.count == 1)
        #expect(request.path == "/" && response.status.code == 204)
    }

    @Test("and its own are there")
    func ownNames() throws {
        let session = try HTTPSession("https://api.example/")
        let loop: NetworkLoop = session.session.loop
        let headers = HeaderFields()
        let method: RequestMethod = .get
        let version: ProtocolVersion = .http2
        let url = try #require(URL(string: "https://api.example/"))
        let request = Request(url: url, method: method, headers: headers)
        #expect(request.method == .get && version.rawValue == "2" && headers.isEmpty)
        #expect(type(of: session) == HTTPSession.self && type(of: loop) == NetworkLoop.self)
    }
}
