import Foundation
import NIOCore
import Netwatch
import Testing

/// An application's file: Netwatch beside Foundation and SwiftNIO, each name without its module.
@Suite("Netwatch beside Foundation and SwiftNIO")
struct NamesTests {
    @Test("leaves every name to whom it belongs")
    func names() {
        // Foundation's.
        let timer: Timer? = nil
        let process: Process.Type = Process.self
        let progress: Progress.Type = Progress.self
        let operation: Operation.Type = Operation.self
        let date: Date = .distantPast
        let data: Data = Data()
        let host: Host.Type = Host.self
        let port: Port.Type = Port.self
        // SwiftNIO's.
        let loop: (any EventLoop)? = nil
        let group: (any EventLoopGroup)? = nil
        let channel: (any Channel)? = nil
        let buffer: ByteBuffer = ByteBuffer()
        let address: SocketAddress? = nil
        #expect(timer == nil && loop == nil && group == nil && channel == nil && address == nil)
        #expect(data.isEmpty && buffer.readableBytes == 0 && date < .now)
        let types: [Any.Type] = [process, progress, operation, host, port]
        #expect(types.count == 5)
    }

    /// What an application calls its own.
    private struct Session {}
    private struct Request {}
    private struct Response {}
    private struct Record {}
    private struct Image {}
    private struct Watch {}
    private struct Certificate {}

    @Test("and its own are there, with what they are made of")
    func ownNames() throws {
        var configuration = ConnectivityConfiguration(targets: [try Target("http://192.0.2.1/")])
        configuration.nameServers = ["eth0": [try #require(NameServer("192.0.2.53"))]]
        configuration.policy = ConnectivityPolicy.quorum(1)
        let monitor = ConnectivityMonitor(configuration: configuration, loop: try MonitorLoop())
        let event: Event = monitor.current
        #expect(event.kind == .snapshot)
        #expect(event.reachability == ReachabilityStatus.unknown)
        #expect(event.path.status == Path.unknown.status)
        #expect(event.since == nil && event.latency == nil)
        let age: TimeInterval = event.time.timeIntervalSinceNow
        #expect(age.magnitude < 60)
        let checked: Date? = event.targets.first?.checkedAt
        #expect(checked == nil)
        let phases: [Phase: Duration]? = event.probes.first?.phases
        #expect(phases == nil)
        let events: EventSequence = monitor.events
        let subscription: Subscription = monitor.onEvent { _ in }
        subscription.cancel()
        _ = (events, Session(), Request(), Response(), Record(), Image(), Watch(), Certificate())
    }

    @Test("streams are properties and callbacks are subscriptions, of each of the three monitors")
    func oneStyle() async throws {
        let loop = try MonitorLoop()
        let path = PathMonitor(loop: loop)
        let manager = NetworkReachabilityManager()
        let subscriptions: [Subscription] = [
            ConnectivityMonitor(loop: loop).onEvent { (_: Event) in },
            await path.onUpdate { (_: PathUpdate) in },
            manager.onStatus { (_: NetworkReachabilityStatus) in },
        ]
        let updates: PathUpdates = path.updates
        var statuses = manager.statuses.makeAsyncIterator()
        #expect(await statuses.next() == .unknown)
        subscriptions.forEach { $0.cancel() }
        _ = updates
    }

    @Test("an event's description is the sentence of the command line")
    func description() {
        let text = "\(ConnectivityMonitor(configuration: .withoutProbes).current)"
        #expect(text == "unknown, connectivity unknown  the monitor is not running", "\(text)")
    }
}
