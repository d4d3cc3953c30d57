import Netwatch

let monitor = ConnectivityMonitor()
try await monitor.start()
for await event in monitor.events {
    print("\(event.reachability) \(event.connectivity): \(event.cause.description)")
}
