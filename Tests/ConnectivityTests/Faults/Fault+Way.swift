import Connectivity
import TestSupport

@testable import Probing

extension Fault {
    /// Rules, routes and neighbours.
    static let ofTheWay =
        [rule("unreachable"), rule("prohibit"), rule("blackhole")]
        + [route("unreachable"), route("prohibit"), route("blackhole")] + [
            Fault(
                "no route", "`ip route del default`", at: .route, .noPath, "ip -4 route show table all",
                advice: "ip route add default"
            ) {
                try $0.upstream().uplink.deleteDefaultRoute()
            },
            Fault(
                "no route by the interface asked for", "the same, and `--interface up1`", at: .route, .noRoute,
                "ip route get 10.99.0.1 oif up1", advice: "ip route add"
            ) {
                try $0.upstream().uplink.deleteDefaultRoute()
                $0.interface = "up1"
            },
            Fault(
                "wrong rule: to a table without a way on", "`ip rule … lookup 77`, and there `unreachable default`",
                at: .rule, .noRoute, "ip -4 rule", advice: "ip rule del priority 77"
            ) {
                try $0.upstream()
                try $0.client.ip(
                    """
                    route add unreachable default table 77
                    rule add priority 77 to \(Upstream.address)/32 lookup 77
                    """)
            },
            Fault(
                "rule for one port", "`ip rule … ipproto tcp dport 80 type prohibit`", at: .rule, .noRoute,
                "ip -4 rule",
                advice: "ip rule del priority 77"
            ) {
                try $0.upstream()
                try $0.client.ip("rule add priority 77 ipproto tcp dport 80 type prohibit")
            },
            Fault(
                "rule for what this host sends", "`ip rule … iif lo type unreachable`", at: .rule, .noRoute,
                "ip -4 rule",
                advice: "ip rule del priority 77"
            ) {
                try $0.upstream()
                try $0.client.ip("rule add priority 77 iif lo to \(Upstream.address) type unreachable")
            },
            Fault(
                "rule for one of this host's own addresses", "`ip rule … from 10.1.0.2 type prohibit`", at: .rule,
                .noRoute, "ip -4 rule", advice: "ip rule del priority 77",
                words: ["the rule 77 (from 10.1.0.2) rejects 10.99.0.1 as prohibit (fault: this host's routing)"]
            ) {
                try $0.upstream()
                try $0.client.ip("rule add priority 77 from 10.1.0.2 type prohibit")
            },
            Fault(
                "rule that shares its number with another", "`ip rule … type prohibit`, twice with one `priority`",
                at: .rule, .noRoute, "ip -4 rule",
                advice: "ip rule del with all its selectors, as others have the priority 77, too",
                words: ["the rule 77 (to 10.99.0.1) rejects 10.99.0.1 as prohibit"]
            ) {
                try $0.upstream()
                try $0.client.ip(
                    """
                    rule add priority 77 to 10.98.0.1 type prohibit
                    rule add priority 77 to \(Upstream.address) type prohibit
                    """)
            },
            Fault(
                "dead gateway in the table that a rule by source leads to",
                "`ip rule … from 10.1.0.2 lookup 77`, and there `default via 10.1.0.9`", at: .neighbour,
                .gatewayUnreachable, "ip neigh show 10.1.0.9 dev up1", advice: "is the gateway on",
                words: ["rule 77 (from 10.1.0.2) leads to table 77", "default via 10.1.0.9 dev up1, in table 77"]
            ) {
                try $0.upstream()
                try $0.client.ip(
                    """
                    route add default via 10.1.0.9 dev up1 table 77
                    rule add priority 77 from 10.1.0.2 lookup 77
                    """)
            },
            Fault(
                "route of the type prohibit, beside rules for others",
                "`ip route add prohibit …`, and `ip rule … type prohibit` of another `uidrange`, `dport`, `tos`",
                at: .route, .noRoute,
                "ip route get 10.99.0.1 ipproto tcp dport 80", advice: "ip route show table all"
            ) {
                try $0.upstream()
                try $0.client.ip(
                    """
                    rule add priority 77 uidrange 4000-4001 type prohibit
                    rule add priority 78 ipproto tcp dport 443 type prohibit
                    rule add priority 79 tos 0x10 type prohibit
                    route add prohibit \(Upstream.address)/32
                    """)
            },
            Fault(
                "ARP dead", "`ip link set router arp off`", at: .neighbour, .gatewayUnreachable,
                "ip neigh show 10.1.0.1 dev up1", advice: "is the gateway on"
            ) {
                try $0.upstream().silenceGateway()
            },
            Fault(
                "neighbour discovery dead", "the same, and IPv6", at: .neighbour, .gatewayUnreachable,
                "ip neigh show fd00:1::1 dev up1", advice: "is the gateway on"
            ) {
                try $0.upstream(ipv6: true).silenceGateway()
                $0.subject = "http://[\(Upstream.address6)]/"
            },
        ]

    private static func rule(_ type: String) -> Fault {
        Fault(
            "rule of the type \(type)", "`ip rule add … type \(type)`", at: .rule, .noRoute, "ip -4 rule",
            advice: "ip rule del priority 77"
        ) {
            try $0.upstream()
            try $0.client.ip("rule add priority 77 to \(Upstream.address)/32 type \(type)")
        }
    }

    private static func route(_ type: String) -> Fault {
        Fault(
            "route of the type \(type)", "`ip route add \(type) …`", at: .route, .noRoute, "ip route get 10.99.0.1",
            advice: "ip route show table all"
        ) {
            try $0.upstream()
            try $0.client.ip("route add \(type) \(Upstream.address)/32")
        }
    }
}
