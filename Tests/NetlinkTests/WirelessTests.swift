import Netlink
import TestSupport
import Testing

@Suite("Wi-Fi", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"))
struct WirelessTests {
    @Test("a kernel without Wi-Fi says so without an error, one with it finds no device in an empty namespace")
    func empty() async throws {
        let namespace = try TestNamespace()
        let (isAvailable, interfaces, listens) = try await namespace.inside {
            var socket = try WirelessSocket()
            let listener = try WirelessNotificationSocket()
            let listens = listener != nil
            return (socket.isAvailable, try socket.interfaces(), listens)
        }
        #expect(interfaces.isEmpty)
        #expect(listens == isAvailable)
    }
}
