import EventLoop
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import NetwatchService

@Suite("The service's manager")
struct ServiceManagerTests {
    @Test("one that is behind hears that the service is ready, once it reads again", .timeLimit(.minutes(2)))
    func fullQueue() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path.appending("notify").string
        let script = """
            import signal, socket, sys
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(sys.argv[1])
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1]); print("bound", flush=True)
            signal.sigwait([signal.SIGUSR1])
            while True: print(s.recv(4096).decode().replace("\\n", "|"), flush=True)
            """
        let receiver = try ProgramRun(["/usr/bin/python3", "-c", script, path])
        _ = try await receiver.line(0)
        let loop = try EventLoop(name: "test-manager")
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": path]))
        var filling = 0
        while UnixDatagram.send(Array("filling".utf8), to: path) == .taken { filling += 1 }
        #expect(filling > 0)
        manager.ready("none", on: loop)
        receiver.send(SIGUSR1)
        _ = try await receiver.wait(for: "the word") { receiver.lines.contains("READY=1") ? true : nil }
        #expect(receiver.lines.count { $0.hasPrefix("READY=1") } == 1)
    }

    @Test("one that is gone is not told again", .timeLimit(.minutes(2)))
    func absent() throws {
        let folder = try TemporaryFolder()
        #expect(UnixDatagram.send([1], to: folder.path.appending("nothing").string) == .failed)
    }
}
