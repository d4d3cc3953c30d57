import Connectivity
import Foundation
import TestSupport

@testable import Probing

extension Fault {
    /// Links and addresses.
    static let ofTheLink = [
        Fault(
            "no link at all", "an empty namespace", at: .interface, .noPath, "ip link", advice: "driver"
        ) { _ in },
        Fault(
            "an interface that is not there", "`--interface wwan0`", at: .interface, .interfaceUnusable, "ip link",
            advice: "check the name"
        ) {
            try $0.upstream()
            $0.interface = "wwan0"
        },
        Fault(
            "link set down", "`ip link set up1 down`", at: .interface, .noPath, "ip link show up1",
            advice: "ip link set up1 up"
        ) {
            try $0.upstream()
            try $0.client.ip("link set up1 down")
        },
        Fault(
            "no carrier", "the other end of the veth set down", at: .interface, .interfaceUnusable, "ip link show up1",
            advice: "check the cable"
        ) {
            let upstream = try $0.upstream()
            try upstream.uplink.router.ip("link set router down")
        },
        Fault(
            "no DHCP: no address", "`ip address flush dev up1`", at: .address, .noPath, "ip address show up1",
            advice: "DHCP client"
        ) {
            try $0.upstream()
            try $0.client.ip("address flush dev up1")
        },
        Fault(
            "duplicate address", "the router has the host's IPv6 address", at: .address, .noPath,
            "ip -6 address show up1", advice: "another host has its address"
        ) {
            let upstream = try $0.upstream()
            try upstream.uplink.router.ip("address add fd00:1::2/64 dev router nodad")
            try $0.client.ip(
                """
                address flush dev up1
                address add fd00:1::2/64 dev up1
                """)
            for _ in 0..<1000 where try $0.client.run("ip", "-6", "address", "show", "dadfailed").isEmpty {
                usleep(20_000)
            }
            $0.subject = "http://[\(Upstream.address6)]/"
        },
        Fault(
            "lease run out", "`ip address change … preferred_lft 0`", at: .lease, .interfaceUnusable,
            "ip address show up1", advice: "DHCP server"
        ) {
            try $0.upstream()
            try $0.client.ip("address change 10.1.0.2/24 dev up1 valid_lft 3600 preferred_lft 0")
        },
        Fault(
            "IPv4 address asked for in a network of IPv6 with NAT64",
            "no IPv4 address, and `ipv4only.arpa` has an AAAA",
            at: .address, .interfaceUnusable, "dig AAAA ipv4only.arpa", advice: "64:ff9b::/96"
        ) {
            try $0.named(
                "http://\(Upstream.address)/", ipv6: true, dns: "--address=/ipv4only.arpa/64:ff9b::c000:aa",
                "--listen-address=fd00:1::1")
            try $0.client.ip("address del 10.1.0.2/24 dev up1")
            $0.ask("http://\(Upstream.address)/", at: "fd00:1::1")
        },
    ]
}
