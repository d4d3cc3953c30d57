import Netlink
import NetworkAddress
import SystemPackage
import TestSupport
import Testing

@Suite("What the driver says", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"))
struct CarrierTests {
    let namespace: TestNamespace

    init() throws {
        namespace = try TestNamespace()
        try namespace.ip("link add w0 type veth peer name p0\nlink set w0 up\nlink set p0 up")
    }

    @Test("carrier is gone with the peer's end and back with it, before any message")
    func carrier() async throws {
        let seen = try await namespace.inside { [namespace] in
            let socket = try CarrierSocket()
            var seen = [try socket.hasCarrier("w0")]
            try namespace.ip("link set p0 down")
            seen.append(try socket.hasCarrier("w0"))
            try namespace.ip("link set p0 up")
            seen.append(try socket.hasCarrier("w0"))
            return seen
        }
        #expect(seen == [true, false, true])
    }

    @Test("the driver's name and the link's speed are those that ethtool shows")
    func driver() async throws {
        let (driver, speed, lo) = try await namespace.inside {
            let socket = try CarrierSocket()
            return (try socket.driver("w0"), try socket.speed("w0"), try? socket.speed("lo"))
        }
        #expect(driver == "veth")
        let listing = try namespace.run("ethtool", "w0")
        #expect(listing.contains("Speed: \(speed.map(String.init) ?? "?")Mb/s"))
        #expect(lo == nil)
    }

    @Test("a device that is not there is named in the error", arguments: ["nosuch0", "a-name-of-more-than-15-bytes"])
    func absent(name: String) async throws {
        let expected = "the kernel refused ETHTOOL_GLINK of \(name): "
        await #expect {
            _ = try await namespace.inside { try CarrierSocket().hasCarrier(name) }
        } throws: { error in
            guard case NetlinkError.refused(_, .operationNotSupportedByDevice, _) = error else { return false }
            return "\(error)".hasPrefix(expected)
        }
    }
}
