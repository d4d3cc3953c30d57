import Connectivity
import NetworkAddress
import Reachability
import Resolver
import SystemPackage
import Testing

@testable import Probing

@Suite("Whether anything else works")
struct ElsewhereTests {
    @Test("is told in one line, with every way by its name")
    func summary() throws {
        let gateway = try check(.gateway, "192.0.2.1", "eth0", true)
        let silent = try check(.reference, "1.1.1.1", "eth0", false)
        #expect(Elsewhere().summary == "there was nothing else to ask: no other way leads out")
        #expect(Elsewhere(checks: [gateway]).summary == "not asked beyond the gateway: the gateway 192.0.2.1 answers")
        #expect(Elsewhere(checks: [gateway]).works == nil)
        #expect(
            Elsewhere(checks: [gateway, silent]).summary == "no: the gateway 192.0.2.1 answers; 1.1.1.1 does not")
        #expect(Elsewhere(checks: [gateway, silent]).works == false)
        let others = [
            silent, try check(.reference, "8.8.8.8", "eth0", true), try check(.linkBelow, "8.8.8.8", "eth1", false),
            try check(.uplink, "8.8.8.8", "wwan0", false), try check(.uplink, "9.9.9.9", "wwan0", true),
        ]
        #expect(
            Elsewhere(checks: others).summary == """
                yes: 8.8.8.8 answers; 1.1.1.1 does not; eth1 without the tunnel does not work; wwan0 works (9.9.9.9 answers)
                """)
        #expect(Elsewhere(checks: others).works == true)
    }

    @Test("where no name server is named, and none is here, that is this host's own want")
    func withoutServers() throws {
        let here = NameServer(try #require(IPAddress("127.0.0.1")))
        let probe = Probe(id: 0, target: try Target("http://check.test/"), timeout: .seconds(1))
        var facts = ExplanationFacts(about: try Subject(of: probe, by: .unknown))
        facts.names.addresses = .failure(ProbeFailure(.nameServerFailed, "no name server could be reached"))
        facts.names.serverAnswers = [ServerAnswer(server: here, outcome: .failed(.connectionRefused))]
        let step = try #require(NameSteps(facts: facts).names)
        #expect(step.finding == "no name server is named in /etc/resolv.conf, and none listens at this host itself")
        #expect(step.blame == .host)
    }

    @Test("a name server is blamed for the name that it was asked for, with its search domain")
    func searchDomain() throws {
        let server = NameServer(try #require(IPAddress("10.1.0.1")))
        let probe = Probe(id: 0, target: try Target("http://intranet/"), timeout: .seconds(1))
        var facts = ExplanationFacts(about: try Subject(of: probe, by: .unknown))
        facts.names.addresses = .failure(ProbeFailure(.nameServerFailed, "the name server could not find out"))
        facts.names.servers = ["10.1.0.1"]
        facts.names.serverAnswers = [ServerAnswer(server: server, outcome: .code(ServerAnswer.serverFailure))]
        facts.names.asked = "intranet.corp.example"
        let step = try #require(NameSteps(facts: facts).names)
        #expect(step.finding == "the name server 10.1.0.1 answers for intranet.corp.example with SERVFAIL")
        #expect(step.command == "dig @10.1.0.1 intranet.corp.example")
    }

    @Test("a name server that says that the name is not there is not taken for the one that failed")
    func denial() throws {
        let servers = try ["10.1.0.1", "10.1.0.2"].map { NameServer(try #require(IPAddress($0))) }
        let probe = Probe(id: 0, target: try Target("http://intranet/"), timeout: .seconds(1))
        var facts = ExplanationFacts(about: try Subject(of: probe, by: .unknown))
        facts.names.asked = "intranet"
        let denial = ServerAnswer(server: servers[0], outcome: .code(ServerAnswer.noSuchName))
        facts.names.serverAnswers = [
            denial, ServerAnswer(server: servers[1], outcome: .code(ServerAnswer.serverFailure)),
        ]
        let failed = try #require(ServerFault(facts: facts).found)
        #expect(failed.finding == "the name server 10.1.0.2 answers for intranet with SERVFAIL")
        facts.names.serverAnswers = [denial, ServerAnswer(server: servers[1], outcome: .silent)]
        let denied = try #require(ServerFault(facts: facts).found)
        #expect(
            denied.finding
                == "the name server 10.1.0.1 says now that there is no name intranet, and did not a moment ago")
        #expect(denied.evidence == "it answers, with the code NXDOMAIN; no answer from 10.1.0.2")
        #expect(denied.blame == nil)
    }

    private func check(
        _ kind: Elsewhere.Check.Kind, _ host: String, _ interface: String, _ answers: Bool
    ) throws -> Elsewhere.Check {
        Elsewhere.Check(kind, try #require(IPAddress(host)), interface: interface, answers: answers)
    }
}
