import Connectivity
import TestSupport

@testable import Probing

extension Fault {
    static let ofTheTransport = [
        Fault(
            "connection refused", "nothing listens at the port (RST)", at: .connection, .connectionRefused,
            "curl -sv -m 3 http://10.99.0.1:81/", advice: "is the service running"
        ) {
            try $0.upstream()
            $0.subject = "http://\(Upstream.address):81/"
        },
        Fault(
            "connection refused, beside a filter of datagrams", "the same, and nft: `udp dport 81 drop` on output",
            at: .connection, .connectionRefused, "curl -sv -m 3 http://10.99.0.1:81/", advice: "is the service running"
        ) {
            try $0.upstream()
            try $0.filterOutput("udp dport 81 drop")
            $0.subject = "http://\(Upstream.address):81/"
        },
        Fault(
            "SYN dropped, beside a filter of datagrams", "a `blackhole` rule, and nft: `udp dport 80 drop` on output",
            at: .connection, .connectTimeout, "curl -sv -m 3 http://10.99.0.1/", advice: "nothing comes back"
        ) {
            try $0.upstream().dropAll()
            try $0.filterOutput("udp dport 80 drop")
        },
        Fault(
            "SYN dropped", "a `blackhole` rule of the router's", at: .connection, .connectTimeout,
            "curl -sv -m 3 http://10.99.0.1/", advice: "nothing comes back"
        ) {
            try $0.upstream().dropAll()
        },
        Fault(
            "TCP port dropped", "the same, and `tcp://`", at: .connection, .connectTimeout, "nc -vz -w 3 10.99.0.1 80",
            advice: "nothing comes back"
        ) {
            try $0.upstream().dropAll()
            $0.subject = "tcp://\(Upstream.address):80"
        },
        Fault(
            "prohibited by a router", "a `prohibit` rule of the router's (ICMP)", at: .connection, .unreachable,
            "curl -sv -m 3 http://10.99.0.1/", advice: "a router on the way"
        ) {
            let router = try $0.upstream().uplink.router
            try router.run("sysctl", "-qw", "net.ipv4.ip_forward=1")
            try router.ip("rule add pref 5 iif router to \(Upstream.address) prohibit")
        },
        Fault(
            "strict reverse-path filter on the spare", "`rp_filter=1`, and `--interface up2`", at: .connection,
            .reversePathFilter, "sysctl net.ipv4.conf.all.rp_filter net.ipv4.conf.up2.rp_filter",
            advice: "net.ipv4.conf.up2.rp_filter=2"
        ) {
            try $0.upstream()
            $0.keep(try Upstream("up2", number: 2, of: $0.client, metric: 200))
            try $0.client.run("sysctl", "-qw", "net.ipv4.conf.up2.rp_filter=1")
            $0.interface = "up2"
        },
        Fault(
            "VPN's firewall", "`ip xfrm policy … dir out action block` (EPERM)", at: .firewall, .unreachable,
            "nft list ruleset", advice: "kill switch"
        ) {
            try $0.upstream()
            try $0.client.run(
                "ip", "xfrm", "policy", "add", "dst", "\(Upstream.address)/32", "dir", "out", "action", "block")
        },
        Fault(
            "VPN's firewall, and a TCP port", "the same, and `tcp://`", at: .firewall, .unreachable,
            "nft list ruleset", advice: "kill switch"
        ) {
            try $0.upstream()
            try $0.client.run(
                "ip", "xfrm", "policy", "add", "dst", "\(Upstream.address)/32", "dir", "out", "action", "block")
            $0.subject = "tcp://\(Upstream.address):80"
        },
        Fault(
            "VPN's firewall before the name server", "the same for its address", at: .firewall, .unreachable,
            "nft list ruleset", advice: "kill switch"
        ) {
            try $0.named()
            try $0.client.run("ip", "xfrm", "policy", "add", "dst", "10.1.0.1/32", "dir", "out", "action", "block")
        },
        Fault(
            "MTU black hole", "a link of 1280 bytes on the way, and no ICMP", at: .mtu, .timeout,
            "ping -c 1 -M do -s 1472 10.99.0.1", advice: "clamp the MSS"
        ) {
            try blackHole($0)
        },
    ]

    static let ofProxiesAndFamilies = [
        Fault(
            "proxy not running", "nothing listens at its port", at: .proxy, .proxyRefused,
            "curl -sv -m 3 -x http://10.1.0.1:3128 http://10.99.0.1/", advice: "is the proxy running"
        ) {
            try $0.upstream()
            try $0.proxied("http://10.1.0.1:3128")
        },
        Fault(
            "proxy wants a password", "it answers 407", at: .proxy, .proxyRefused,
            "curl -sv -m 3 -x http://10.1.0.1:80 http://10.99.0.1/", advice: "a name and a password"
        ) {
            try $0.upstream(location: "location / { return 407; }")
            try $0.proxied("http://10.1.0.1:80")
        },
        Fault(
            "proxy refuses to connect", "it answers 403 to CONNECT", at: .proxy, .proxyRefused,
            "curl -sv -m 3 -x http://10.1.0.1:80 https://10.99.0.1/", advice: "does not let it through"
        ) {
            try $0.upstream(location: "location / { return 403; }")
            $0.subject = "https://\(Upstream.address)/"
            try $0.proxied("http://10.1.0.1:80")
        },
        Fault(
            "IPv6 alone dead", "IPv6 is dropped on the way", at: .family, .ipv6Failed,
            "curl -6 -sv -m 3 --interface 'if!up1' http://check.test/", advice: "--family ipv6",
            words: ["(fault: not known)"]
        ) {
            try $0.named(ipv6: true).dropAll(["-6"])
        },
        Fault(
            "IPv4 alone dead", "IPv4 is dropped on the way", at: .family, .ipv4Failed,
            "curl -4 -sv -m 3 --interface 'if!up1' http://check.test/", advice: "--family ipv4",
            words: ["(fault: not known)"]
        ) {
            try $0.named(ipv6: true).dropAll(["-4"])
        },
        Fault(
            "IPv6 router gone, and its route still there", "`ip -6 route replace default via fd00:1::99`", at: .family,
            .ipv6Failed, "curl -6 -sv -m 3 --interface 'if!up1' http://check.test/", advice: "--family ipv6",
            words: ["default via 10.1.0.1 dev up1, in table main", "10.1.0.1 answers at "]
        ) {
            try $0.named(ipv6: true)
            try $0.client.run(
                "ip", "-6", "route", "replace", "default", "via", "fd00:1::99", "dev", "up1", "metric", "100")
        },
    ]

    /// A server behind a second link that is narrower, where segments are not put together again before they are too long.
    private static func blackHole(_ world: FaultWorld) throws {
        let uplink = try Uplink("up1", number: 1, of: world.client)
        let far = try TestNamespace()
        let router = uplink.router
        try router.run("ip", "link", "add", "narrow", "type", "veth", "peer", "name", "wide", "netns", far.path)
        try router.ip(
            """
            link set narrow mtu 1280 up
            address add 10.2.0.1/24 dev narrow
            route add \(Upstream.address)/32 via 10.2.0.2
            rule add pref 5 ipproto icmp to 10.1.0.2 blackhole
            """)
        try router.run("sysctl", "-qw", "net.ipv4.ip_forward=1")
        try far.ip(
            """
            address add 10.2.0.2/24 dev wide
            address add \(Upstream.address)/32 dev lo
            link set wide up
            route add default via 10.2.0.1
            """)
        try far.run("ethtool", "-K", "wide", "tso", "off", "gso", "off")
        let page = String(repeating: "0123456789", count: 400)
        world.keep(try NginxServer(in: far, port: 80, locations: "location / { return 200 \"\(page)\"; }"))
        world.keep(far)
        world.keep(router)
        try uplink.addDefaultRoute()
    }
}
