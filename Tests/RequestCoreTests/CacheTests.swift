import EventLoop
import Foundation
import RequestCore
import Synchronization
import TestSupport
import Testing

@Suite("The response cache", .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
struct CacheTests {
    /// The time of day, which stands still until a test moves it on.
    final class Clock: Sendable {
        private let time = Mutex(WallClock.seconds())

        func advance(by seconds: Int64) { time.withLock { $0 += seconds } }

        var now: Int64 { time.withLock { $0 } }
    }

    let server: NginxServer
    let clock = Clock()
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "netwatch-cache-\(UUID().uuidString)")
        server = try NginxServer(
            locations: """
                location /fresh { add_header Cache-Control max-age=60; return 200 $request_id; }
                location /private { add_header Cache-Control "private, max-age=60"; return 200 $request_id; }
                location /nostore { add_header Cache-Control "no-store, max-age=60"; return 200 $request_id; }
                location /aged { add_header Cache-Control max-age=60; add_header Age $arg_age; return 200 $request_id; }
                location /plain { return 200 $request_id; }
                location /expired { add_header Expires 0; return 200 $request_id; }
                location /vary {
                    add_header Cache-Control max-age=60; add_header Vary X-Mine; return 200 "$http_x_mine $request_id";
                }
                location /star { add_header Cache-Control max-age=60; add_header Vary *; return 200 $request_id; }
                location /file { add_header Cache-Control no-cache; }
                location /heuristic { }
                location /must {
                    add_header Cache-Control "max-age=1, must-revalidate, stale-if-error=600" always;
                    if (-f $document_root/broken) { return 503; }
                    return 200 $request_id;
                }
                location /stale {
                    add_header Cache-Control "max-age=1, stale-if-error=600" always;
                    if (-f $document_root/broken) { return 503; }
                    return 200 $request_id;
                }
                """,
            documents: ["file": Data("hello".utf8), "heuristic": Data("old".utf8)])
        let old = Date(timeIntervalSinceNow: -1_000_000)
        try FileManager.default.setAttributes(
            [.modificationDate: old], ofItemAtPath: server.directory.path + "/root/heuristic")
    }

    private func session(_ storage: any CacheStorage = MemoryCache()) throws -> Session {
        var configuration = SessionConfiguration()
        configuration.interceptors = [ResponseCache(storage: storage, now: { [clock] in clock.now })]
        return try Session(configuration: configuration, loop: EventLoop())
    }

    private func request(_ path: String, _ headers: HeaderFields = [:], method: RequestMethod = .get) throws -> Request
    {
        Request(
            url: try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")), method: method, headers: headers)
    }

    private func breakServer() throws {
        try Data().write(to: server.directory.appending(path: "root/broken"))
    }

    // MARK: Freshness

    @Test("what the session says of storing holds for each request")
    func sessionFields() async throws {
        var configuration = SessionConfiguration()
        configuration.headers = ["Cache-Control": "no-store"]
        configuration.interceptors = [ResponseCache(storage: MemoryCache())]
        let session = try Session(configuration: configuration, loop: EventLoop())
        let first = try await session.response(for: request("/fresh"))
        #expect(try await session.response(for: request("/fresh")).body != first.body)
    }

    @Test("a question whether a port is open is not answered by what is kept")
    func connectsOnly() async throws {
        let session = try session()
        _ = try await session.response(for: request("/fresh"))
        var question = try request("/fresh")
        question.connectsOnly = true
        #expect(try await session.response(for: question).statusCode == 0)
    }

    @Test("a fresh answer is used until its time is over", arguments: ["/fresh", "/private"])
    func fresh(path: String) async throws {
        let session = try session()
        let first = try await session.response(for: request(path))
        let second = try await session.response(for: request(path + "#fragment"))
        #expect(first.cacheUse == .miss && second.cacheUse == .hit)
        #expect(second.body == first.body && second.headers["Cache-Control"] == first.headers["Cache-Control"])
        clock.advance(by: 61)
        #expect(try await session.response(for: request(path)).body != first.body)
        #expect(try await server.logged(2) == 2)
    }

    @Test("what may not be stored is not", arguments: ["/nostore", "/expired", "/plain", "/star"])
    func notStored(path: String) async throws {
        let session = try session()
        let first = try await session.response(for: request(path))
        #expect(try await session.response(for: request(path)).body != first.body)
        #expect(try await server.logged(2) == 2)
    }

    @Test("without a stated time an old file stays fresh for a tenth of its age")
    func heuristic() async throws {
        let session = try session()
        _ = try await session.response(for: request("/heuristic"))
        clock.advance(by: 86_000)
        #expect(try await session.response(for: request("/heuristic")).cacheUse == .hit)
        clock.advance(by: 15_000)
        #expect(try await session.response(for: request("/heuristic")).cacheUse == .revalidated)
    }

    @Test(
        "a request's directives bound what it takes",
        arguments: [
            ("no-cache", CacheUse.miss), ("max-age=0", .miss), ("max-age=40", .hit), ("max-age=20", .miss),
            ("min-fresh=20", .hit), ("min-fresh=40", .miss), ("no-store", .hit),
        ])
    func directives(directive: String, use: CacheUse) async throws {
        let session = try session()
        _ = try await session.response(for: request("/fresh"))
        clock.advance(by: 30)
        #expect(try await session.response(for: request("/fresh", ["Cache-Control": directive])).cacheUse == use)
    }

    @Test(
        "an age beyond measure is an old answer",
        arguments: [Int64.max, 1 << 31, Int64.max - 100].map { "\($0)" } + ["99999999999999999999999"])
    func immeasurableAge(age: String) async throws {
        let session = try session()
        _ = try await session.response(for: request("/aged?age=\(age)"))
        clock.advance(by: 5)
        for directive in ["min-fresh=\(Int64.max)", "max-stale=3", "max-age=\(Int64.max)", "stale-if-error=\(age)"] {
            let response = try await session.response(
                for: request("/aged?age=\(age)", ["Cache-Control": directive]))
            #expect(response.cacheUse == .miss, "\(directive)")
        }
    }

    @Test("max-stale takes a stale answer, and not where the server forbids it")
    func maximumStaleness() async throws {
        let session = try session()
        for path in ["/stale", "/must"] { _ = try await session.response(for: request(path)) }
        clock.advance(by: 100)
        #expect(try await session.response(for: request("/stale", ["Cache-Control": "max-stale=200"])).cacheUse == .hit)
        #expect(try await session.response(for: request("/must", ["Cache-Control": "max-stale=200"])).cacheUse == .miss)
        clock.advance(by: 100)
        #expect(try await session.response(for: request("/stale", ["Cache-Control": "max-stale"])).cacheUse == .hit)
    }

    @Test("only-if-cached and the policy cacheOnly never ask the server")
    func onlyIfCached() async throws {
        let session = try session()
        #expect(
            try await session.response(for: request("/fresh", ["Cache-Control": "only-if-cached"])).statusCode == 504)
        var request = try request("/stale")
        request.cachePolicy = .cacheOnly
        #expect(try await session.response(for: request).statusCode == 504)
        request.cachePolicy = .reload
        let body = try await session.response(for: request).body
        clock.advance(by: 1000)
        for policy in [CachePolicy.cacheOnly, .cacheElseLoad] {
            request.cachePolicy = policy
            #expect(try await session.response(for: request).body == body)
        }
        #expect(try await server.logged(1) == 1)
    }

    @Test("where the server may not be asked, it is not asked by requests either that no cache answers")
    func cacheAlone() async throws {
        let session = try session()
        _ = try await session.response(for: request("/fresh"))
        for isByField in [true, false] {
            var get = try request("/fresh")
            if isByField { get.headers["Cache-Control"] = "only-if-cached" } else { get.cachePolicy = .cacheOnly }
            var (post, range) = (get, get)
            post.method = .post
            range.headers["Range"] = "bytes=0-1"
            for request in [post, range] {
                #expect(try await session.response(for: request).statusCode == 504)
            }
            #expect(try await session.stream(get).head.statusCode == 504)
            let download = Download(get, to: folder.appending(path: "file").path)
            let error = try await #require(throws: RequestError.self) { try await session.download(download) }
            #expect(error.reason == .unacceptableStatus(504, body: Data()))
        }
        #expect(try await session.response(for: request("/fresh")).cacheUse == .hit)
        #expect(try await server.logged(1) == 1)
    }

    @Test("a body that is longer than a request takes is not given to it")
    func longBody() async throws {
        let session = try session()
        var request = try request("/fresh")
        let body = try await session.response(for: request).body
        request.maximumBodySize = body.count
        #expect(try await session.response(for: request).cacheUse == .hit)
        request.maximumBodySize = body.count - 1
        let error = try await #require(throws: RequestError.self) { try await session.response(for: request) }
        #expect(error.reason == .bodyTooLarge(limit: body.count - 1))
        request.method = .head
        #expect(try await session.response(for: request).cacheUse == .hit)
    }

    // MARK: Validation

    @Test("an answer that must be asked about is, by its validators, and its body is not sent again")
    func validated() async throws {
        let session = try session()
        _ = try await session.response(for: request("/file"))
        let second = try await session.response(for: request("/file"))
        #expect(second.cacheUse == .revalidated && second.statusCode == 200 && second.body == Data("hello".utf8))
        #expect(try await server.logged(2) == 2)
        #expect(server.accessLog.last?.contains(" 304 0 ") == true)
        try Data("changed".utf8).write(to: server.directory.appending(path: "root/file"))
        let third = try await session.response(for: request("/file"))
        #expect(third.cacheUse == .miss && third.body == Data("changed".utf8))
    }

    @Test("an answer depends on the fields that it names")
    func vary() async throws {
        let session = try session()
        let one = try await session.response(for: request("/vary", ["X-Mine": "1"])).body
        let two = try await session.response(for: request("/vary", ["X-Mine": "2"])).body
        let none = try await session.response(for: request("/vary")).body
        #expect(try await session.response(for: request("/vary", ["x-mine": "1"])).body == one)
        #expect(try await session.response(for: request("/vary", ["X-Mine": "2"])).body == two)
        #expect(try await session.response(for: request("/vary")).body == none)
        #expect(try await server.logged(3) == 3)
    }

    @Test("HEAD is answered from GET's answer, and a range is not")
    func otherRequests() async throws {
        let session = try session()
        let get = try await session.response(for: request("/fresh"))
        let head = try await session.response(for: request("/fresh", method: .head))
        #expect(head.cacheUse == .hit && head.body.isEmpty && head.headers["Date"] == get.headers["Date"])
        #expect(try await session.response(for: request("/file", ["Range": "bytes=1-2"])).body == Data("el".utf8))
        #expect(try await session.response(for: request("/file")).body == Data("hello".utf8))
    }

    @Test("a request that is not safe drops what is kept for its URL")
    func invalidation() async throws {
        let session = try session()
        _ = try await session.response(for: request("/fresh"))
        _ = try await session.response(for: request("/fresh", method: .post))
        #expect(try await session.response(for: request("/fresh")).cacheUse == .miss)
    }

    @Test("a server that fails is stood in for where it allowed that, also if it is gone")
    func staleOnError() async throws {
        let session = try session()
        let body = try await session.response(for: request("/stale")).body
        _ = try await session.response(for: request("/must"))
        clock.advance(by: 100)
        try breakServer()
        let stale = try await session.response(for: request("/stale"))
        #expect(stale.cacheUse == .staleOnError && stale.statusCode == 200 && stale.body == body)
        #expect(try await session.response(for: request("/must")).statusCode == 503)
        clock.advance(by: 601)
        #expect(try await session.response(for: request("/stale")).statusCode == 503)
    }

    @Test("a request with a security policy of its own is not given what another has let through")
    func ownPolicy() async throws {
        let session = try session()
        _ = try await session.response(for: request("/fresh"))
        var request = try request("/fresh")
        request.securityPolicy = .default
        #expect(try await session.response(for: request).cacheUse == nil)
    }

    // MARK: On disk

    @Test("what is on disk outlives the cache, variants apart")
    func disk() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try session(DiskCache(path: folder.path))
        let one = try await first.response(for: request("/vary", ["X-Mine": "1"])).body
        let two = try await first.response(for: request("/vary", ["X-Mine": "2"])).body
        let cache = try DiskCache(path: folder.path)
        let second = try session(TieredCache(MemoryCache(), cache))
        #expect(try await second.response(for: request("/vary", ["X-Mine": "1"])).body == one)
        #expect(try await second.response(for: request("/vary", ["X-Mine": "2"])).body == two)
        #expect(try await server.logged(2) == 2)
        #expect(await cache.usage > 0)
        await cache.removeAll()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("a damaged file is dropped and counted, and the server asked", arguments: [0, 20, 60, 200])
    func damaged(offset: Int) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try await session(DiskCache(path: folder.path)).response(for: request("/fresh"))
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        let file = folder.appending(path: name)
        var bytes = try Data(contentsOf: file)
        bytes[offset] ^= 1
        try bytes.write(to: file)
        let cache = try DiskCache(path: folder.path)
        let session = try session(cache)
        #expect(try await session.response(for: request("/fresh")).cacheUse == .miss)
        #expect(await cache.corruptedCount == 1)
        #expect(try await session.response(for: request("/fresh")).cacheUse == .hit)
    }

    @Test("a file that cannot be read for now is kept, and one that is gone is no damage")
    func unread() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = try DiskCache(path: folder.path)
        await cache.store(stored("/a", 100))
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        let (file, aside) = (folder.appending(path: name).path, folder.appending(path: "aside").path)
        try FileManager.default.moveItem(atPath: file, toPath: aside)
        // What leads to itself is not opened (ELOOP), as nothing is where there are no descriptors (EMFILE).
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: name)
        #expect(await sizes(cache, "/a").isEmpty)
        #expect(rename(aside, file) == 0)
        #expect(await sizes(cache, "/a") == [100])
        try FileManager.default.removeItem(atPath: file)
        #expect(await sizes(cache, "/a").isEmpty)
        #expect(await cache.usage == 0)
        #expect(await cache.corruptedCount == 0)
    }

    @Test("the folder does not grow beyond its limit, and the files used last stay")
    func diskLimit() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = try DiskCache(path: folder.path, capacity: 6000, maximumFileSize: 2000)
        let session = try session(cache)
        for number in 0..<20 {
            _ = try await session.response(for: request("/fresh?\(number)"))
            #expect(try await session.response(for: request("/fresh?0")).cacheUse == .hit)
        }
        #expect(await cache.usage <= 6000)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.count < 20 && files.count > 3)
        let reopened = try DiskCache(path: folder.path, capacity: 2000, maximumFileSize: 2000)
        #expect(await reopened.usage <= 2000)
        #expect(try await self.session(reopened).response(for: request("/fresh?0")).cacheUse == .hit)
    }

    private func stored(_ path: String, _ size: Int, variant: Int = 0) -> StoredResponse {
        StoredResponse(
            url: "http://a\(path)", statusCode: 200, httpVersion: .http1_1, headers: [:],
            body: Data(repeating: 120, count: size), requestTime: 0, responseTime: Int64(size),
            variant: ["x-mine": "\(variant)"])
    }

    /// The sizes of the bodies that are kept for a path.
    private func sizes(_ cache: any CacheStorage, _ path: String) async -> [Int] {
        await cache.responses(for: "http://a\(path)").map(\.body.count).sorted()
    }

    @Test("an answer that is too long to be kept leaves neither the one it replaces nor others away")
    func tooLong() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let caches: [any CacheStorage] = [
            MemoryCache(capacity: 10_000), try DiskCache(path: folder.path, capacity: 60_000),
        ]
        for cache in caches {
            for path in ["/a", "/b"] { await cache.store(stored(path, 100)) }
            await cache.store(stored("/a", 101, variant: 1))
            await cache.store(stored("/a", 8000))
            #expect(await sizes(cache, "/a") == [101])
            #expect(await sizes(cache, "/b") == [100])
        }
    }

    @Test("of one URL no more variants are kept than can be looked at each time")
    func manyVariants() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let caches: [any CacheStorage] = [MemoryCache(capacity: 100_000), try DiskCache(path: folder.path)]
        for cache in caches {
            for number in 1...40 { await cache.store(stored("/a", number, variant: number)) }
            #expect(await sizes(cache, "/a") == Array(25...40))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 16)
        let long = MemoryCache(capacity: 10_000)
        for number in 1...10 { await long.store(stored("/a", 2000 + number, variant: number)) }
        #expect(await sizes(long, "/a") == [2009, 2010])
    }

    @Test("a variant in the slow cache is found though the fast one has another of the same URL")
    func tiers() async throws {
        let (near, far) = (MemoryCache(), MemoryCache())
        await far.store(stored("/a", 1, variant: 1))
        let cache = TieredCache(near, far)
        await cache.store(stored("/a", 2, variant: 2))
        #expect(await sizes(cache, "/a") == [1, 2])
    }

    @Test("a variant in the slow cache is found though the fast one has no room for all of the same URL")
    func tiersWithoutRoom() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let near = MemoryCache(capacity: 10_000)
        let cache = TieredCache(near, try DiskCache(path: folder.path))
        for number in 1...2 { await cache.store(stored("/a", 4000 + number, variant: number)) }
        // Twice: what is found in the slow one is copied.
        for _ in 0..<2 { #expect(await sizes(cache, "/a") == [4001, 4002]) }
        await cache.store(stored("/a", 8000, variant: 3))
        #expect(await sizes(cache, "/a") == [4001, 4002, 8000])
        for number in 1...40 { await cache.store(stored("/b", number, variant: number)) }
        #expect(await sizes(near, "/b") == Array(25...40))
        #expect(await sizes(cache, "/b") == Array(25...40))
    }

    @Test("what only the fast cache has room for is found, too")
    func tiersWithoutSlowRoom() async throws {
        let cache = TieredCache(MemoryCache(capacity: 10_000), MemoryCache(capacity: 100))
        for number in 1...2 { await cache.store(stored("/a", 4000 + number, variant: number)) }
        #expect(await sizes(cache, "/a") == [4002])
    }

    @Test("a folder that cannot be used is an error that says so")
    func unusableFolder() {
        let error = #expect(throws: DiskCache.Unusable.self) { try DiskCache(path: "/proc/nothing/here") }
        #expect(error?.description.contains("/proc/nothing/here") == true)
    }
}

@Suite("The cost cache")
struct CostCacheTests {
    @Test("beyond its capacity it drops what was used longest ago, down to the lower mark")
    func purge() {
        var cache = CostCache<Int, String>(capacity: 100, usageAfterPurge: 60)
        for key in 1...10 { cache.insert("\(key)", for: key, cost: 10) }
        #expect(cache.usage == 100 && cache.count == 10)
        #expect(cache.value(for: 1) == "1")
        #expect(cache.insert("11", for: 11, cost: 10) == [2, 3, 4, 5, 6])
        #expect(cache.usage == 60)
        #expect(cache.value(for: 1) == "1" && cache.value(for: 2) == nil)
    }

    @Test("replacing corrects the usage, and removing tells whether something was there")
    func replace() {
        var cache = CostCache<String, Int>()
        #expect(cache.capacity == 104_857_600 && cache.usageAfterPurge == 62_914_560)
        cache.insert(1, for: "a", cost: 850 * 300 * 4)
        cache.insert(2, for: "a", cost: 5)
        #expect(cache.usage == 5 && cache.value(for: "a") == 2)
        let (first, second) = (cache.remove("a"), cache.remove("a"))
        #expect(first && !second && cache.usage == 0)
    }
}
