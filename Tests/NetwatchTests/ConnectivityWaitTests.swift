import EventLoop
import Foundation
import Netwatch
import RequestCore
import TestSupport
import Testing

@Suite("A request that waits for connectivity")
struct ConnectivityWaitTests {
    private static let isPossible = TestNamespace.unavailable == nil && NginxServer.isInstalled

    @Test(
        "it is held while there is no route, and sent when the route comes",
        .enabled(if: isPossible, "no namespaces or no nginx here"), .timeLimit(.minutes(2)))
    func route() async throws {
        let (host, peer) = (try TestNamespace(), try TestNamespace())
        try host.ip("link add wire type veth peer name wire netns \(peer.path)")
        try peer.ip("addr add 192.0.2.1/24 dev wire\nlink set wire up")
        let server = try NginxServer(in: peer, port: 80, locations: "location / { return 200 ok; }")
        let loop = try EventLoop(networkNamespace: host.descriptor)
        let monitor = PathMonitor(loop: loop)
        #expect(try await monitor.start().status == .none)
        let events = EventStream()
        var configuration = SessionConfiguration()
        configuration.interceptors = [Attempts(retriers: [ConnectivityRetrier(source: monitor)])]
        configuration.monitors = [events]
        let session = try Session(configuration: configuration, loop: loop)
        let task = session.dataTask(try Request(url: #require(URL(string: "http://192.0.2.1/")), method: .post))
        task.resume()
        for await event in events.events {
            if case .measured(let metrics) = event.kind {
                #expect(metrics.failedPhase == .connect)
                break
            }
        }
        #expect(task.state == .running)
        try host.ip("addr add 192.0.2.2/24 dev wire\nlink set wire up\nroute add default via 192.0.2.1")
        let response = try await task.value
        #expect(response.body == Data("ok".utf8))
        #expect(monitor.currentPath.interfacesInUse == ["wire"])
        #expect(server.accessLog.count <= 1)
        await monitor.stop()
    }
}
