import Connectivity
import TestSupport

@testable import Probing

extension Fault {
    static let ofTheAnswer = [
        answer("204 expected, 200 with a page", "return 200 \"<html>Log in</html>\"", .portal, "log in", isCheck: true),
        answer("204 expected, 200 and nothing", "return 200", .mangled, "see its log", isCheck: true),
        answer("302 to another host", "return 302 http://login.test/", .portal, "log in at http://login.test/"),
        Fault(
            "302 to another host, of this one alone",
            "nginx: `return 302 http://login.test/`; the built-in reference answers as ever", at: .http,
            .unexpectedStatus, "curl -sv -m 3 --interface 'if!up1' http://check.test/",
            advice: "watch that address in its place", words: ["(fault: the far end)", "others are not sent there"]
        ) {
            try $0.named(
                location: "location = /generate_204 { return 204; } location / { return 302 http://login.test/; }",
                dns: "--host-record=connectivitycheck.gstatic.com,\(Upstream.address)")
        },
        answer("403", "return 403", .unexpectedStatus, "see its log"),
        answer("500", "return 500", .unexpectedStatus, "see its log"),
        answer("503", "return 503", .unexpectedStatus, "see its log"),
        answer("511", "return 511", .portal, "log in"),
        answer("closed without an answer", "return 444", .connectionLost, "see its log"),
        answer("reset", "reset_timedout_connection on; return 444", .connectionLost, "see its log"),
        Fault(
            "slow", "a server that takes the request and says nothing", at: .http, .timeout, command,
            advice: "see its log"
        ) {
            let upstream = try $0.upstream(location: "location / { proxy_pass http://127.0.0.1:9; }")
            try $0.python(
                """
                import socket
                server = socket.create_server(("127.0.0.1", 9))
                print("ready")
                kept = []
                while True: kept.append(server.accept())
                """, in: upstream.uplink.router)
        },
        Fault(
            "slow once", "a server that says nothing on the first connection, and answers on others", at: .http,
            .timeout, "curl -sv -m 3 http://10.99.0.1:81/", advice: "see its log"
        ) {
            let upstream = try $0.upstream()
            try $0.python(
                """
                import socket, threading
                server = socket.create_server(("10.99.0.1", 81))
                print("ready")
                silent = server.accept()
                def answer(client):
                    if client.recv(4096): client.sendall(b"HTTP/1.1 204 No Content\\r\\n\\r\\n")
                while True: threading.Thread(target=answer, args=(server.accept()[0],)).start()
                """, in: upstream.uplink.router)
            $0.subject = "http://10.99.0.1:81/"
        },
    ]

    private static let command = "curl -sv -m 3 http://10.99.0.1/"

    /// A server that answers so, asked as an ordinary one or as an endpoint for such checks.
    private static func answer(
        _ name: String, _ directive: String, _ reason: ConnectivityReason, _ advice: String, isCheck: Bool = false
    ) -> Fault {
        Fault(name, "nginx: `\(directive)`", at: .http, reason, command, advice: advice) {
            try $0.upstream(location: "location / { \(directive); }")
            if isCheck { $0.configuration.targets = [try Target($0.subject, expectation: .noContent)] }
        }
    }
}
