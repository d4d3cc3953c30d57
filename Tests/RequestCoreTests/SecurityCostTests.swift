import EventLoop
import Foundation
import Glibc
import RequestCore
import TestSupport
import Testing

/// Runs on a loop and reads how long its thread has worked.
private actor LoopClock {
    let loop: EventLoop

    init(_ loop: EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    var cpuTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

@Suite("What verification costs", .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
struct SecurityCostTests {
    private static let bundle = "/etc/ssl/certs/ca-certificates.crt"

    @Test(
        "the bundle of authorities is read once for all connections",
        .enabled(if: access(bundle, R_OK) == 0, "no bundle of authorities here"))
    func readOnce() async throws {
        let authority = try CertificateAuthority()
        let server = try TLSServer(authority.issue("server"))
        let file = authority.folder + "/bundle.pem"
        let text =
            try String(contentsOfFile: Self.bundle, encoding: .utf8)
            + String(contentsOfFile: authority.rootFile, encoding: .utf8)
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let loop = try EventLoop()
        let clock = LoopClock(loop)
        let session = try Session(loop: loop)
        var request = try server.request(SecurityPolicy(anchors: .file(file)))
        request.usesFreshConnection = true
        let start = await clock.cpuTime
        _ = try await session.response(for: request)
        let first = await clock.cpuTime - start
        let before = await clock.cpuTime
        for _ in 0..<50 {
            #expect(try await session.response(for: request).metrics.isConnectionReused == false)
        }
        let each = (await clock.cpuTime - before) / 50
        // Not optimised, and with the handshake: a tenth of reading the bundle is far above it.
        #expect(each < first / 3, "first \(first), then \(each) each")
    }
}
