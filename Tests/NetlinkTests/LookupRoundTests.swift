import Netlink
import NetworkAddress
import TestSupport
import Testing

@Suite("Rounds of look-ups", .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
struct LookupRoundTests {
    let namespace: TestNamespace
    private let destinations: [IPAddress]

    init() throws {
        namespace = try TestNamespace()
        try namespace.ip(
            """
            link add w0 index 50 type veth peer name p0
            link add w1 index 51 type veth peer name p1
            link set w0 up
            link set p0 up
            link set w1 up
            link set p1 up
            address add 192.0.2.10/24 dev w0
            address add 198.51.100.10/24 dev w1
            address add 2001:db8::10/64 dev w0 nodad
            route add default via 192.0.2.1
            route add default via 2001:db8::1
            """)
        destinations = try ["17.0.0.1", "200.160.0.1", "2607:f8b0::1"].map { try #require(IPAddress($0)) }
    }

    /// By any link, and by each of the two.
    private var queries: [RouteQuery] {
        destinations.flatMap { destination in
            [nil, 50, 51].map { RouteQuery(destination: destination, outputInterface: $0) }
        }
    }

    @Test("a round answers as single questions do, the first time and when all can be foreseen")
    func sameAnswers() async throws {
        let queries = queries
        let answers = try await namespace.inside {
            var single = try RequestSocket()
            var rounds = try RequestSocket()
            var answers: [[RouteAnswer]] = []
            for _ in 0..<3 {
                rounds.beginRound()
                for query in queries { answers.append([try single.answer(query), try rounds.answer(query)]) }
            }
            return answers
        }
        #expect(answers.allSatisfy { $0[0] == $0[1] })
        #expect(Set(answers.map { $0[0] }).count > 3)
    }

    @Test("within a round an answer stands, and the next round asks again")
    func renewal() async throws {
        let (namespace, query) = (namespace, queries[0])
        let answers = try await namespace.inside {
            var socket = try RequestSocket()
            socket.beginRound()
            let before = try socket.answer(query)
            try namespace.ip("route replace default via 198.51.100.1 dev w1")
            let meanwhile = try socket.answer(query)
            socket.beginRound()
            return [before, meanwhile, try socket.answer(query)]
        }
        #expect(answers[0].outputInterface == 50)
        #expect(answers[1] == answers[0])
        #expect(answers[2].outputInterface == 51)
    }

    @Test("more than fit into one datagram are answered all the same")
    func manyQueries() async throws {
        let queries = (1...200).map { RouteQuery(destination: .v4(IPv4Address(rawValue: 0x1100_0000 + $0))) }
        let answers = try await namespace.inside {
            var socket = try RequestSocket()
            var answers: [UInt32?] = []
            for _ in 0..<2 {
                socket.beginRound()
                for query in queries { answers.append(try socket.answer(query).outputInterface) }
            }
            return answers
        }
        #expect(answers.count == 400 && answers.allSatisfy { $0 == 50 })
    }
}

extension RouteAnswer {
    fileprivate var outputInterface: UInt32? {
        guard case .route(let match, _) = self else { return nil }
        return match.outputInterface
    }
}
