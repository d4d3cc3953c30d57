import Foundation
import Glibc
import RequestCore
import TestSupport
import Testing

/// httpbin behind gunicorn: a server for clients to be tested against, by people who know nothing of this one.
final class HttpbinServer: Sendable {
    static var isInstalled: Bool {
        access("/usr/bin/gunicorn", X_OK) == 0 && access("/usr/lib/python3/dist-packages/httpbin", R_OK) == 0
    }

    /// The server of the suite that runs.
    @TaskLocal static var current: HttpbinServer?

    let port: Int
    private let process: BackgroundProcess

    init() throws {
        port = try FreePort.next()
        process = try BackgroundProcess([
            "/usr/bin/gunicorn", "--bind", "127.0.0.1:\(port)", "--threads", "12", "httpbin:app",
        ])
        // Python takes its time on a busy machine.
        var attempts = 0
        while true {
            attempts += 1
            do {
                try FreePort.waitForListener(port)
                return
            } catch  where attempts < 4 {}
        }
    }

    static func request(_ path: String, method: RequestMethod = .get) throws -> Request {
        let server = try #require(current)
        return Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")), method: method)
    }
}

/// Starts one httpbin for a whole suite.
struct HttpbinTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await HttpbinServer.$current.withValue(HttpbinServer()) { try await body() }
    }
}

extension Trait where Self == HttpbinTrait {
    static var httpbin: HttpbinTrait { HttpbinTrait() }
}

extension Response {
    /// The body as a JSON object.
    var object: [String: Any] {
        get throws { try #require(JSONSerialization.jsonObject(with: body) as? [String: Any]) }
    }

    /// A value of the body's JSON object that is itself an object of texts.
    func texts(_ key: String) throws -> [String: String] {
        try #require(object[key] as? [String: String])
    }
}
