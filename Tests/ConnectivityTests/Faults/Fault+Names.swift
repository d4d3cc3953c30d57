import Connectivity
import Foundation
import TestSupport

@testable import Probing

extension Fault {
    static let ofNames = [
        Fault(
            "name server not running", "nothing listens at its port", at: .names, .nameServerFailed,
            "dig @10.1.0.1 check.test", advice: "/etc/resolv.conf",
            words: ["nothing listens at port 53 of the name server 10.1.0.1"]
        ) {
            try $0.upstream()
            $0.ask("http://check.test/", at: "10.1.0.1")
        },
        Fault(
            "name server refuses", "dnsmasq without a server to ask (REFUSED)", at: .names, .nameServerFailed,
            "dig @10.1.0.1 check.example", advice: "/etc/resolv.conf",
            words: ["the name server 10.1.0.1 refuses to answer for check.example: REFUSED (fault: the name server)"]
        ) {
            try $0.named("http://check.example/")
        },
        Fault(
            "name server fails", "one that answers SERVFAIL", at: .names, .nameServerFailed,
            "dig @10.1.0.1 check.test", advice: "/etc/resolv.conf",
            words: [
                "the name server 10.1.0.1 answers for check.test with SERVFAIL (fault: the name server)",
                "1.1.1.1 answers on the same way",
            ]
        ) {
            let upstream = try $0.upstream()
            try upstream.startInternet()
            try $0.python(failingNameServer, in: upstream.uplink.router)
            $0.ask("http://check.test/", at: "10.1.0.1")
        },
        Fault(
            "name server silent", "queries are dropped on the way", at: .names, .nameServerFailed,
            "dig @10.99.0.1 check.test", advice: "/etc/resolv.conf",
            words: [
                "the name server 10.99.0.1 does not answer (fault: the name server)", "1.1.1.1 answers on the same way",
            ]
        ) {
            let upstream = try $0.upstream()
            try upstream.startInternet()
            try upstream.dropAll()
            $0.ask("http://check.test/", at: Upstream.address)
        },
        Fault(
            "name server finds signatures wrong", "one that answers SERVFAIL but to `dig +cd`", at: .names,
            .nameServerFailed, "dig @10.1.0.1 check.test", advice: "dig +cd @10.1.0.1 check.test", words: ["DNSSEC"]
        ) {
            let upstream = try $0.upstream()
            try $0.python(
                failingNameServer.replacing(
                    "bytes([0x81, 0x82])", with: "bytes([0x81, 0x90 if (query + bytes(4))[3] & 0x10 else 0x82])"),
                in: upstream.uplink.router)
            $0.ask("http://check.test/", at: "10.1.0.1")
        },
        Fault(
            "name server silent about one family", "one that answers for IPv6 addresses only", at: .names,
            .nameServerFailed, "dig @10.1.0.1 check.test", advice: "/etc/resolv.conf",
            words: [
                "the name server 10.1.0.1 does not answer for the IPv4 addresses of check.test (fault: the name server)"
            ]
        ) {
            let upstream = try $0.upstream()
            try upstream.startInternet()
            try $0.python(NameTests.withoutIPv4Answers, in: upstream.uplink.router)
            $0.ask("http://check.test/", at: "10.1.0.1")
        },
        Fault(
            "name server whose long answers do not come through", "one that answers by TCP alone, and not by that",
            at: .names, .nameServerFailed, "dig +tcp @10.1.0.1 check.test", advice: "TCP port 53",
            words: ["has more to answer for check.test than a datagram holds, and not by TCP (fault: the name server)"]
        ) {
            let upstream = try $0.upstream()
            try upstream.startInternet()
            try $0.python(NameTests.cutAnswers, in: upstream.uplink.router)
            $0.ask("http://check.test/", at: "10.1.0.1")
        },
        Fault(
            "name server blocks the name", "dnsmasq says 0.0.0.0 to it", at: .names, .nameHijacked,
            "dig @10.1.0.1 ads.test", advice: "allow the name there",
            words: ["the name server says that ads.test is 0.0.0.0, which means no host", "(fault: the name server)"]
        ) {
            try $0.named("http://ads.test/", dns: "--address=/ads.test/0.0.0.0")
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
            try $0.askTwo($0.named(), second: "--local=/test/")
        },
        Fault(
            "503 at one of a name's places", "a second dnsmasq that knows another address, and nginx: `return 503`",
            at: .http, .unexpectedStatus, "curl -sv -m 3 --interface 'if!up1' http://check.test/", advice: "see its log"
        ) {
            try $0.askTwo(
                $0.named(location: "location / { return 503; }"), second: "--address=/check.test/10.99.0.9")
        },
    ]

    /// Answers every query with SERVFAIL (RFC 1035, section 4.1.1: QR and RD, RA and the code 2).
    static let failingNameServer = """
        import socket
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        server.bind(("10.1.0.1", 53))
        print("ready")
        while True:
            query, client = server.recvfrom(512)
            server.sendto(query[:2] + bytes([0x81, 0x82]) + query[4:6] + bytes(6) + query[12:], client)
        """
}
