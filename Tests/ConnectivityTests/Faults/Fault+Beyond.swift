import Connectivity
import Foundation
import TestSupport

@testable import Probing

extension Fault {
    /// Gateways, tunnels and masks, and what else works beside them.
    static let ofTunnelsAndGateways = [
        Fault(
            "dead gateway beside another that works", "two uplinks, and `ip link set router arp off` for the first",
            at: .neighbour, .gatewayUnreachable, "ip neigh show 10.1.0.1 dev up1",
            advice: "Until then up2 works: ip route replace default via 10.2.0.1 dev up2",
            words: ["yes: the gateway 10.1.0.1 does not answer", "up2 works (10.99.0.1 answers)"]
        ) {
            let upstream = try $0.upstream()
            $0.keep(try Upstream("up2", number: 2, of: $0.client, metric: 200))
            try upstream.silenceGateway()
        },
        Fault(
            "dead gateway of one network, beside a default route that is well",
            "`ip route add 10.99.0.0/16 via 10.1.0.9`, and two uplinks", at: .neighbour, .gatewayUnreachable,
            "ip neigh show 10.1.0.9 dev up1",
            advice: "Until then up2 works: ip route replace 10.99.0.0/16 via 10.2.0.1 dev up2",
            words: ["up2 works (10.99.0.1 answers)"]
        ) {
            try $0.upstream()
            $0.keep(try Upstream("up2", number: 2, of: $0.client, metric: 200))
            try $0.client.ip("route add 10.99.0.0/16 via 10.1.0.9 dev up1")
        },
        Fault(
            "full tunnel with a silent far end", "a `tun` that everything leaves by, and nothing comes back",
            at: .connection, .connectTimeout, "ip -s -d link show tun0", advice: "ip link set tun0 down",
            words: [
                "nothing comes back through the tunnel tun0, though up1 works without it (fault: the way to it)",
                "up1 without the tunnel works (10.99.0.1 answers)",
            ]
        ) {
            try $0.upstream()
            try $0.deadTunnel()
        },
        Fault(
            "full tunnel, and the link below it is dead too", "the same, and everything is dropped behind the gateway",
            at: .connection, .connectTimeout, "ip -s -d link show tun0", advice: "mend up1 first",
            words: ["nothing comes back through the tunnel tun0, nor by up1 below it (fault: the network)", "no: "]
        ) {
            try $0.upstream().cutLine()
            try $0.deadTunnel()
        },
        Fault(
            "full tunnel with a silent far end, and a strict reverse-path filter below it",
            "the same `tun`, and `rp_filter=1` on `up1`", at: .connection, .connectTimeout,
            "ip -s -d link show tun0", advice: "restart the VPN",
            words: [
                "nothing comes back through the tunnel tun0 (fault: the way to it)",
                "what it runs over could not be asked alone",
            ]
        ) {
            try $0.upstream()
            try $0.client.run("sysctl", "-qw", "net.ipv4.conf.up1.rp_filter=1")
            try $0.deadTunnel()
        },
        Fault(
            "netmask too wide", "`ip address add 10.1.0.2/8 …`", at: .neighbour, .unreachable,
            "ip address show up1", advice: "the netmask is too wide",
            words: ["where the netmask of 10.1.0.2/8 puts it", "yes: the gateway 10.1.0.1 answers; 1.1.1.1 answers"]
        ) {
            let upstream = try $0.upstream()
            try upstream.startInternet()
            try upstream.uplink.router.run("sysctl", "-qw", "net.ipv4.conf.router.arp_ignore=1")
            try $0.client.ip(
                """
                address del 10.1.0.2/24 dev up1
                address add 10.1.0.2/8 dev up1
                route add default via 10.1.0.1 dev up1
                """)
        },
        Fault(
            "line behind the gateway dead", "the router drops all that is not for itself", at: .connection,
            .connectTimeout, "curl -sv -m 3 http://10.99.0.1/", advice: "nothing comes back from beyond the gateway",
            words: [
                "nothing answers from beyond the gateway 10.1.0.1, which answers itself (fault: the network)",
                "no: the gateway 10.1.0.1 answers; 1.1.1.1, 8.8.8.8 and 9.9.9.9 do not",
            ]
        ) {
            try $0.upstream().cutLine()
        },
        Fault(
            "line behind the gateway dead, and the name server behind it", "the same, and a name", at: .names,
            .nameServerFailed, "dig @10.99.0.53 check.test", advice: "see whether its line is up",
            words: [
                "nothing answers from beyond the gateway 10.1.0.1, which answers itself (fault: the network)",
                "no answer from the name server 10.99.0.53, 1.1.1.1",
            ]
        ) {
            try $0.upstream().cutLine()
            $0.ask("http://check.test/", at: "10.99.0.53")
        },
        Fault(
            "line behind the gateway dead, and its name server says so", "a router that answers SERVFAIL", at: .names,
            .nameServerFailed, "dig @10.1.0.1 check.test", advice: "see whether its line is up",
            words: ["which answers itself (fault: the network)", "the name server 10.1.0.1 answers SERVFAIL"]
        ) {
            let upstream = try $0.upstream()
            try upstream.cutLine()
            try $0.python(failingNameServer, in: upstream.uplink.router)
            $0.ask("http://check.test/", at: "10.1.0.1")
        },
        Fault(
            "gateway that has died a moment ago", "the router drops everything, and the kernel still believes in it",
            at: .connection, .connectTimeout, "curl -sv -m 3 http://10.99.0.1/", advice: "see whether its line is up",
            words: [
                "nothing answers from the gateway 10.1.0.1 or beyond it (fault: the network)",
                "no: the gateway 10.1.0.1 does not answer", "and last answered ",
            ]
        ) {
            let upstream = try $0.upstream()
            try $0.client.run("sysctl", "-qw", "net.ipv4.neigh.up1.base_reachable_time_ms=600000")
            try $0.client.ip("neigh flush dev up1")
            try $0.client.run("bash", "-c", "exec 3<>/dev/tcp/10.1.0.1/80")
            try upstream.uplink.router.ip(
                """
                rule add pref 5 iif router blackhole
                link set router arp off
                """)
            // The age of an entry is told in hundredths of a second.
            Thread.sleep(forTimeInterval: 0.05)
        },
        Fault(
            "host down, and a network that lets nothing to public hosts",
            "the same, and its name server is beyond, too",
            at: .connection, .connectTimeout, "curl -sv -m 3 --interface 'if!up1' http://web.test/",
            advice: "the host is down, or a firewall",
            words: [
                "nothing comes back from 10.99.0.1 port 80 (fault: the far end)", "10.99.0.53 answers on the same way",
                "yes: the gateway 10.1.0.1 answers; 10.99.0.53 answers; 1.1.1.1, 8.8.8.8 and 9.9.9.9 do not",
            ]
        ) {
            let upstream = try $0.upstream()
            try upstream.uplink.router.ip("address add 10.99.0.53/32 dev lo")
            $0.keep(
                try upstream.startNameServer(
                    "--listen-address=10.99.0.53", "--host-record=web.test,\(Upstream.address)"))
            try upstream.dropAll()
            for host in ["1.1.1.1", "8.8.8.8", "9.9.9.9"] {
                try upstream.uplink.router.ip("rule add pref 6 iif router to \(host) blackhole")
            }
            $0.ask("http://web.test/", at: "10.99.0.53")
        },
        Fault(
            "silent host on this link, in a network that lets nothing to public hosts",
            "10.1.0.77 on the link, nft there: `tcp dport 80 drop`, and the router drops all that is not for itself",
            at: .connection, .connectTimeout, "curl -sv -m 3 http://10.1.0.77/", advice: "a firewall on the host",
            words: [
                "nothing comes back from 10.1.0.77 port 80 (fault: the far end)",
                "the gateway 10.1.0.1 answers on the same link",
                "no: the gateway 10.1.0.1 answers; 1.1.1.1, 8.8.8.8 and 9.9.9.9 do not",
            ]
        ) {
            let upstream = try $0.upstream()
            let router = upstream.uplink.router
            try router.ip(
                """
                address add 10.1.0.77/24 dev router
                rule add pref 4 iif router to 10.1.0.77 lookup local
                """)
            try router.run(
                "nft", "add table inet own; add chain inet own in { type filter hook input priority 0; }")
            try router.run("nft", "add rule inet own in ip daddr 10.1.0.77 tcp dport 80 drop")
            try upstream.cutLine()
            $0.subject = "http://10.1.0.77/"
        },
        Fault(
            "dead line of the uplink that a rule by port leads to", "`ip rule … dport 80 lookup 77`, and there `up2`",
            at: .connection, .connectTimeout, "curl -sv -m 3 http://10.99.0.1/", advice: "see whether its line is up",
            words: [
                "nothing comes back from 10.99.0.1 by up2, and it answers by up1 (fault: the network)",
                "up1 works (10.99.0.1 answers)",
            ]
        ) {
            try $0.upstream().startInternet()
            let other = try Upstream("up2", number: 2, of: $0.client, metric: 200)
            $0.keep(other)
            try other.startInternet()
            try other.cutLine()
            try other.uplink.deleteDefaultRoute()
            try $0.client.ip(
                """
                route add default via 10.2.0.1 dev up2 table 77
                rule add priority 77 ipproto tcp dport 80 lookup 77
                """)
        },
        Fault(
            "dead interface whose route goes before another's", "two uplinks, and no carrier on the first; a name",
            at: .route, .noPath, "ip route show default",
            advice: "Until then up2 works: ip route replace default via 10.2.0.1 dev up2",
            words: [
                "the route by up1, which has no carrier, goes before the others (fault: this host's routing)",
                "up2: usable",
            ]
        ) {
            let upstream = try $0.upstream()
            let other = try Upstream("up2", number: 2, of: $0.client, metric: 200)
            $0.keep(other)
            try other.startInternet()
            try upstream.uplink.router.ip("link set router down")
            $0.subject = "http://check.test/"
        },
        Fault(
            "host down, and others beyond the gateway are not", "a `blackhole` rule of the router's for it alone",
            at: .connection, .connectTimeout, "curl -sv -m 3 http://10.99.0.1/",
            advice: "the host is down, or a firewall",
            words: [
                "nothing comes back from 10.99.0.1 port 80 (fault: the far end)", "1.1.1.1 answers on the same way",
            ]
        ) {
            let upstream = try $0.upstream()
            try upstream.startInternet()
            try upstream.dropAll()
        },
    ]
}
