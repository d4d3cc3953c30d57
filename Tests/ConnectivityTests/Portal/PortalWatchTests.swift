import EventLoop
import NetworkAddress
import Reachability
import Resolver
import Testing

@testable import Connectivity
@testable import Probing

@Suite("What a network says of its portal")
struct PortalWatchTests {
    private static let api = "https://portal.test/api"

    private func world() throws -> Simulation {
        var world = try Simulation(targets: ["a"])
        world.path(.by("eth0"), cause: .start)
        return world
    }

    private func answer(_ question: PortalQuestion, isCaptive: Bool?, seconds: Int? = nil, at time: UInt64)
        -> PortalAnswer
    {
        var portal = CaptivePortal(interface: question.interface, api: question.api)
        portal.isCaptive = isCaptive
        portal.userPortal = isCaptive == true ? "https://login.test/" : nil
        portal.secondsRemaining = seconds
        portal.checkedMonotonic = MonotonicTime(nanoseconds: time)
        return PortalAnswer(question: question.id, portal: portal)
    }

    @Test("is asked once it is advertised, and makes the verdict worse though the probes are well")
    func captive() throws {
        var world = try world()
        world.end("a", .success)
        world.send(.portalAdvertised(2, api: Self.api))
        let question = try #require(world.questions.last)
        #expect(question.interface == "eth0")
        world.send(.portalAnswered(answer(question, isCaptive: true, at: world.now)))
        #expect(world.status == .portal)
        #expect(world.events.last?.portal == "https://login.test/")
        #expect(world.wake != nil)
    }

    @Test("is told anew where it sends people elsewhere, and not where only the query is another")
    func moved() throws {
        var world = try world()
        world.end("a", .success)
        world.send(.portalAdvertised(2, api: Self.api))
        var told: [String?] = []
        for address in ["https://a.test/", "https://a.test/?2", "https://b.test/"] {
            let question = try #require(world.questions.last)
            var answer = answer(question, isCaptive: true, at: world.now)
            answer.portal.userPortal = address
            let before = world.events.count
            world.send(.portalAnswered(answer))
            told.append(world.events.count > before ? world.events.last?.portal : nil)
            while world.questions.last == question {
                world.advanceToWake()
                world.endAll(.success)
            }
        }
        #expect(told == ["https://a.test/", nil, "https://b.test/"])
        #expect(world.events.last?.kind == .portal)
        #expect(world.events.last?.from == world.events.last?.to)
    }

    @Test("is asked once a second at most, however fast somebody advertises one address after the other")
    func flood() throws {
        var world = try world()
        world.end("a", .success)
        for number in 0..<2_000 {
            world.now += 1_000_000
            world.send(.portalAdvertised(2, api: number % 3 == 0 ? nil : "\(Self.api)/\(number)"))
        }
        #expect(world.questions.count <= 3)
        while world.questions.last?.api != "\(Self.api)/1999", world.questions.count <= 4 { world.advanceToWake() }
        #expect(world.questions.last?.api == "\(Self.api)/1999")
    }

    @Test("never makes the verdict better than the probes say")
    func neverBetter() throws {
        var world = try world()
        world.end("a", .failure)
        world.live(.seconds(5)) { _ in .failure }
        #expect(world.status == .local)
        world.send(.portalAdvertised(2, api: Self.api))
        world.send(.portalAnswered(answer(try #require(world.questions.last), isCaptive: false, at: world.now)))
        #expect(world.status == .local)
        world.send(.portalAdvertised(2, api: CaptivePortal.unrestricted))
        #expect(world.status == .local)
    }

    @Test("is asked again soon while captive, when the leave ends, and never where it says nothing of that")
    func schedule() throws {
        var world = try world()
        world.end("a", .success)
        world.send(.portalAdvertised(2, api: Self.api))
        world.send(.portalAnswered(answer(try #require(world.questions.last), isCaptive: true, at: world.now)))
        let asked = world.now
        while world.questions.count < 2 { world.advanceToWake() }
        #expect(world.now - asked == 1_000_000_000)
        world.send(.portalAnswered(answer(world.questions[1], isCaptive: false, seconds: 300, at: world.now)))
        #expect(world.status == .full)
        let left = world.now
        while world.questions.count < 3 {
            world.advanceToWake()
            world.endAll(.success)
        }
        #expect(world.now - left == 300_000_000_000)
        world.send(.portalAnswered(answer(world.questions[2], isCaptive: false, at: world.now)))
        for _ in 0..<50 {
            world.advanceToWake()
            world.endAll(.success)
        }
        #expect(world.questions.count == 3)
    }

    @Test("is asked again where a probe shows that somebody has logged in, and where the verdict turns")
    func hint() throws {
        var world = try world()
        world.send(.portalAdvertised(2, api: Self.api))
        world.send(.portalAnswered(answer(try #require(world.questions.last), isCaptive: true, at: world.now)))
        #expect(world.status == .portal)
        world.now += 2_000_000_000
        world.end("a", .success)
        #expect(world.questions.count == 2)
        world.send(.portalAnswered(answer(world.questions[1], isCaptive: false, at: world.now)))
        #expect(world.status == .full)
    }

    @Test("is forgotten with the network, and an answer that comes after it says nothing")
    func gone() throws {
        var world = try world()
        world.end("a", .success)
        world.send(.portalAdvertised(2, api: Self.api))
        let question = try #require(world.questions.last)
        world.path(.gone)
        world.send(.portalAnswered(answer(question, isCaptive: true, at: world.now)))
        world.path(.by("eth0"))
        world.end("a", .success)
        #expect(world.status == .full)
        #expect(world.questions.count == 1)
    }

    @Test("is only asked where anything is probed at all")
    func withoutProbes() {
        var world = Simulation(.withoutProbes)
        world.path(.by("eth0"), cause: .start)
        world.send(.portalAdvertised(2, api: Self.api))
        #expect(world.questions.isEmpty)
    }

    @Test("may come before the path knows the interface")
    func early() throws {
        var world = try Simulation(targets: ["a"])
        world.path(.gone, cause: .start)
        world.send(.portalAdvertised(2, api: Self.api))
        #expect(world.questions.isEmpty)
        world.path(.by("eth0"))
        #expect(world.questions.count == 1)
    }

    @Test("is forgotten where the path has never known the interface, after a while")
    func neverKnown() throws {
        var world = try Simulation(targets: ["a"])
        world.path(.gone, cause: .start)
        world.send(.portalAdvertised(2, api: Self.api))
        world.now += 11_000_000_000
        world.path(.gone)
        world.path(.by("eth0"))
        #expect(world.questions.isEmpty)
        world.send(.portalAdvertised(2, api: Self.api))
        #expect(world.questions.count == 1)
    }

    @Test(
        "is read from the state of systemd-networkd",
        arguments: [
            (
                "ADMIN_STATE=configured\nCAPTIVE_PORTAL=https://portal.test/api\nDNS=192.0.2.1",
                "https://portal.test/api"
            ),
            ("ADMIN_STATE=configured\nDNS=192.0.2.1 [2001:db8::1]:53#dns.test", nil),
        ])
    func linkState(text: String, api: String?) {
        let state = LinkState(text)
        #expect(state.captivePortal == api)
        #expect(state.nameServers.first?.address.description == "192.0.2.1")
    }

    @Test("name servers of systemd-networkd have their ports, without the zone and the name")
    func ports() {
        let state = LinkState(
            "DNS=192.0.2.53:5353 [2001:db8::1]:5353#dns.test fe80::1%eth0 [fe80::1%eth0]:54 [fe80::1]:55%2#dns.test")
        #expect(
            state.nameServers.map(\.description) == [
                "192.0.2.53:5353", "[2001:db8::1]:5353", "[fe80::1]:53", "[fe80::1]:54", "[fe80::1]:55",
            ])
    }
}
