import Connectivity
import Foundation
import TestSupport

extension Fault {
    static let ofNames = [
        Fault(
            "name server not running", "nothing listens at its port", at: .names, .nameServerFailed,
            "dig @10.1.0.1 check.test", advice: "/etc/resolv.conf"
        ) {
            try $0.upstream()
            $0.ask("http://check.test/", at: "10.1.0.1")
        },
        Fault(
            "name server refuses", "dnsmasq without a server to ask (REFUSED)", at: .names, .nameServerFailed,
            "dig @10.1.0.1 check.example", advice: "/etc/resolv.conf"
        ) {
            try $0.named("http://check.example/")
        },
        Fault(
            "name server fails", "one that answers SERVFAIL", at: .names, .nameServerFailed,
            "dig @10.1.0.1 check.test", advice: "/etc/resolv.conf"
        ) {
            let upstream = try $0.upstream()
            try $0.python(failingNameServer, in: upstream.uplink.router)
            $0.ask("http://check.test/", at: "10.1.0.1")
        },
        Fault(
            "name server silent", "queries are dropped on the way", at: .names, .nameServerFailed,
            "dig @10.99.0.1 check.test", advice: "/etc/resolv.conf"
        ) {
            try $0.upstream().dropAll()
            $0.ask("http://check.test/", at: Upstream.address)
        },
        Fault(
            "name not found", "dnsmasq says NXDOMAIN", at: .names, .nameNotFound, "dig @10.1.0.1 chekc.test",
            advice: "spelling"
        ) {
            try $0.named("http://chekc.test/")
        },
        Fault(
            "names hijacked", "dnsmasq says 10.1.0.1 to every name", at: .names, .nameHijacked,
            "dig @10.1.0.1 check.example", advice: "portal"
        ) {
            try $0.named("http://check.example/", dns: "--address=/#/10.1.0.1")
        },
        Fault(
            "name servers that disagree", "a second dnsmasq that does not know the name", at: .names, .nameHijacked,
            "dig @10.1.0.3 check.test", advice: "resolvectl status"
        ) {
            let upstream = try $0.named()
            try upstream.uplink.router.ip("address add 10.1.0.3/24 dev router")
            $0.keep(
                try upstream.uplink.router.start(
                    "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--user=root", "--pid-file=",
                    "--listen-address=10.1.0.3", "--bind-interfaces", "--no-resolv", "--no-hosts", "--local=/test/"))
            for _ in 0..<500
            where try upstream.uplink.router.run("ss", "-lunH", "src 10.1.0.3 sport = :53").isEmpty {
                usleep(20_000)
            }
            $0.ask("http://check.test/", at: "10.1.0.1", "10.1.0.3")
        },
    ]

    /// Answers every query with SERVFAIL (RFC 1035, section 4.1.1: QR and RD, RA and the code 2).
    private static let failingNameServer = """
        import socket
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        server.bind(("10.1.0.1", 53))
        print("ready")
        while True:
            query, client = server.recvfrom(512)
            server.sendto(query[:2] + bytes([0x81, 0x82]) + query[4:6] + bytes(6) + query[12:], client)
        """
}
