import Dispatch
import EventLoop
import Foundation
import NetworkAddress
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Reachability

/// AFNetworking's manager as it should have been.
@Suite("The reachability manager", .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
struct ManagerTests {
    @Test("the statuses have AFNetworking's numbers and words")
    func words() {
        #expect(NetworkReachabilityStatus.allCases.map(\.rawValue) == [-1, 0, 1, 2])
        #expect(
            NetworkReachabilityStatus.allCases.map(\.text) == [
                "Unknown", "Not Reachable", "Reachable via WWAN", "Reachable via WiFi",
            ])
        #expect(NetworkReachabilityStatus(.ethernet) == .reachableViaWiFi)
        #expect(NetworkReachabilityStatus(.wwan) == .reachableViaWWAN)
        #expect(NetworkReachabilityStatus(.none) == .notReachable)
    }

    @Test("it knows its first status when the start returns, and tells each change once")
    func firstAndChanges() async throws {
        let host = try await Host.online()
        let manager = NetworkReachabilityManager(.internet, loop: host.loop)
        #expect(manager.networkReachabilityStatus == .unknown)
        let told = Mutex<[NetworkReachabilityStatus]>([])
        manager.setReachabilityStatusChange { status in told.withLock { $0.append(status) } }
        try await on(host) { try manager.startMonitoring() }
        #expect(manager.isReachable && manager.isReachableViaWiFi && !manager.isReachableViaWWAN)
        #expect(manager.localizedStatusText() == "Reachable via WiFi")

        try host.deleteDefault(.ipv4, of: 0)
        await host.eventually("it is told") { !manager.isReachable }
        try host.setDefault(.ipv4, to: 0)
        await host.eventually("it is told") { manager.isReachable }
        // The status is there a moment before the handler is called, on another thread than this.
        await host.eventually("the handler is called") { told.withLock { $0.count } == 3 }
        #expect(told.withLock { $0 } == [.reachableViaWiFi, .notReachable, .reachableViaWiFi])
    }

    @Test("it can be started again, and calls nobody once it is stopped")
    func restart() async throws {
        let host = try await Host.online()
        let manager = NetworkReachabilityManager(.internet, loop: host.loop)
        try await on(host) { try manager.startMonitoring() }
        try await on(host) { try manager.startMonitoring() }
        manager.stopMonitoring()
        let calls = Mutex(0)
        manager.onStatus { _ in calls.withLock { $0 += 1 } }
        try host.deleteDefault(.ipv4, of: 0)
        await host.wait(for: .none)
        #expect(calls.withLock { $0 } == 0)
        #expect(manager.isReachable, "the last status known")
        try await on(host) { try manager.startMonitoring() }
        #expect(!manager.isReachable)
        #expect(calls.withLock { $0 } == 1)
    }

    @Test("an address has a way of its own")
    func address() async throws {
        let host = try await Host.online(families: [])
        let address = try #require(IPAddress("203.0.113.9"))
        let manager = NetworkReachabilityManager(.address(address), loop: host.loop)
        try await on(host) { try manager.startMonitoring() }
        #expect(manager.networkReachabilityStatus == .notReachable)
        var statuses = manager.statuses.makeAsyncIterator()
        #expect(await statuses.next() == .notReachable)
        try host.near.ip("route add 203.0.113.0/24 via 192.0.0.1")
        #expect(await statuses.next() == .reachableViaWiFi)
        #expect(host.path.status == .none, "there is no way to the Internet")
    }

    @Test("its statuses end with it")
    func end() async throws {
        let host = try await Host.online()
        var manager: NetworkReachabilityManager? = NetworkReachabilityManager(.internet, loop: host.loop)
        var statuses = try #require(manager).statuses.makeAsyncIterator()
        #expect(await statuses.next() == .unknown)
        manager = nil
        #expect(await statuses.next() == nil)
    }

    @Test("a name is what its addresses are", arguments: ["localhost", String(repeating: "a", count: 70)])
    func domain(_ name: String) async throws {
        let host = try await Host.online()
        let manager = NetworkReachabilityManager(.domain(name), loop: host.loop)
        try await on(host) { try manager.startMonitoring() }
        let expected: NetworkReachabilityStatus = name == "localhost" ? .reachableViaWiFi : .notReachable
        await host.eventually("\(name) is known") { manager.networkReachabilityStatus == expected }
    }

    @Test("a name that could not be asked for is asked for again, and what is known of it stands until then")
    func unanswered() async throws {
        let host = try await Host.online()
        let far = try #require(IPAddress("203.0.113.9"))
        let asked = Mutex(0)
        let watch = TargetWatch(.domain("name.example"), loop: host.loop) { _ in
            let count = asked.withLock {
                $0 += 1
                return $0
            }
            // No name server answers but the second time.
            return count == 2 ? [far] : nil
        }
        let told = Mutex<[ReachabilityStatus]>([])
        await watch.start { path in told.withLock { $0.append(path.status) } }
        await host.eventually("its address is known") { told.withLock { $0.last } == .ethernet }
        #expect(told.withLock { $0.first } == ReachabilityStatus.none)
        try host.deleteDefault(.ipv4, of: 0)
        await host.eventually("the host has no path") { told.withLock { $0.last } == ReachabilityStatus.none }
        try host.setDefault(.ipv4, to: 0)
        await host.eventually("it is asked for again") { asked.withLock { $0 } >= 3 }
        await host.eventually("its address stands") { told.withLock { $0.last } == .ethernet }
        await watch.stop()
    }

    @Test("a name is asked for anew where other name servers come with the end of a sleep")
    func nameServersAfterSleep() async throws {
        let host = try await Host.online()
        let (far, next) = (try #require(IPAddress("203.0.113.9")), try #require(IPAddress("192.0.2.2")))
        let folder = try TemporaryFolder()
        let file = try folder.write(Array("nameserver 192.0.2.1\n".utf8), to: "resolv.conf")
        var configuration = PathMonitor.Configuration()
        configuration.resolverConfiguration = file.string
        let general = PathMonitor(configuration: configuration, loop: host.loop)
        let asked = Mutex(0)
        let watch = TargetWatch(.domain("name.example"), loop: host.loop, general: general) { _ in
            asked.withLock { $0 += 1 }
            return [far]
        }
        let told = Mutex<[ReachabilityStatus]>([])
        await watch.start { path in told.withLock { $0.append(path.status) } }
        await host.eventually("its address is known") { told.withLock { $0.last } == .ethernet }
        await host.eventually("all is looked at") { await general.isSettled }
        let before = asked.withLock { $0 }
        // The loop waits meanwhile, so that the news of the file is not read first; it may not write itself where it is.
        let (isWaiting, isWritten) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let failure = Mutex<(any Error)?>(nil)
        Thread.detachNewThread {
            isWaiting.wait()
            do {
                _ = try folder.write(Array("nameserver \(next)\n".utf8), to: "resolv.conf")
            } catch {
                failure.withLock { $0 = error }
            }
            isWritten.signal()
        }
        try await on(host) {
            isWaiting.signal()
            isWritten.wait()
            general.assumeIsolated { $0.resume(after: .seconds(7)) }
        }
        #expect(failure.withLock { $0 } == nil)
        await host.eventually("it is asked for anew") { asked.withLock { $0 } > before }
        #expect(general.currentPath.nameServers == [next])
        await watch.stop()
    }

    @Test("a name of a host on an own link is reachable without a way out")
    func onLink() async throws {
        let host = try await Host.online()
        let gateway = try #require(IPAddress("192.0.0.1"))
        try host.deleteDefault(.ipv4, of: 0)
        let watch = TargetWatch(.domain("near.example"), loop: host.loop) { _ in [gateway] }
        let told = Mutex<[ReachabilityStatus]>([])
        await watch.start { path in told.withLock { $0.append(path.status) } }
        await host.eventually("its way is known") { told.withLock { $0.last } == .ethernet }
        await watch.stop()
    }

    @Test(
        "only a name server's word that there is no address says so",
        arguments: [(-2, true), (-5, true), (-3, false), (-4, false)] as [(CInt, Bool)])
    func absence(failure: CInt, isAbsence: Bool) {
        #expect(NameResolver.isAbsence(failure) == isAbsence)
    }

    @Test("between two look-ups that come to nothing is half a second at first, and a minute at last")
    func pauses() {
        var pause = LookupPause()
        let pauses = (0..<10).map { _ in pause.next() }
        #expect(pauses.prefix(4) == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)])
        #expect(pauses.suffix(3).allSatisfy { $0 == .seconds(60) })
    }

    /// Runs on the host's loop, whose thread is in the host's namespace.
    private func on(_ host: Host, _ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            host.loop.schedule(after: .zero) { continuation.resume(with: Result(catching: body)) }
        }
    }
}
