import Connectivity
import Foundation
import TestSupport
import Testing

@testable import Probing

/// Each group has a suite, so that they run beside each other.
@Suite(
    "The explanation of a fault",
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(5)))
struct FaultTests {
    @Suite("of the link", .serialized) struct OfTheLink {
        @Test("names the first broken step", arguments: Fault.ofTheLink)
        func named(fault: Fault) async throws { try await fault.check() }
    }

    @Suite("of the way", .serialized) struct OfTheWay {
        @Test("names the first broken step", arguments: Fault.ofTheWay)
        func named(fault: Fault) async throws { try await fault.check() }
    }

    @Suite("of tunnels and gateways", .serialized) struct OfTunnelsAndGateways {
        @Test("names the first broken step", arguments: Fault.ofTunnelsAndGateways)
        func named(fault: Fault) async throws { try await fault.check() }
    }

    @Suite("of this host", .serialized) struct OfThisHost {
        @Test("names the first broken step", arguments: Fault.ofThisHost)
        func named(fault: Fault) async throws { try await fault.check() }
    }

    @Suite("of names", .serialized) struct OfNames {
        @Test("names the first broken step", arguments: Fault.ofNames)
        func named(fault: Fault) async throws { try await fault.check() }
    }

    @Suite("of the transport", .serialized) struct OfTheTransport {
        @Test("names the first broken step", arguments: Fault.ofTheTransport)
        func named(fault: Fault) async throws { try await fault.check() }
    }

    @Suite("of proxies and families", .serialized) struct OfProxiesAndFamilies {
        @Test("names the first broken step", arguments: Fault.ofProxiesAndFamilies)
        func named(fault: Fault) async throws { try await fault.check() }
    }

    @Suite("of TLS", .serialized) struct OfTLS {
        @Test("names the first broken step", arguments: Fault.ofTLS)
        func named(fault: Fault) async throws { try await fault.check() }
    }

    @Suite("of the answer", .serialized) struct OfTheAnswer {
        @Test("names the first broken step", arguments: Fault.ofTheAnswer)
        func named(fault: Fault) async throws { try await fault.check() }
    }

    @Test("stands in the documentation as it is tested")
    func documentation() throws {
        let names = Fault.groups.joined().map(\.name) + Fault.ofTheProcess.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count >= 40)
        if ProcessInfo.processInfo.environment["NETWATCH_WRITE_DOCUMENTS"] != nil {
            try FaultTable.markdown.write(to: FaultTable.file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: FaultTable.file, encoding: .utf8) == FaultTable.markdown)
    }
}

extension Fault {
    /// Makes it and holds what is explained against what has to be.
    fileprivate func check() async throws {
        let world = try FaultWorld()
        try make(world)
        let (explanation, time) = try await world.explain()
        let text = Comment(rawValue: "\(explanation)\nafter \(time)")
        let broken = try #require(explanation.broken, text)
        #expect(broken.kind == step, text)
        #expect(broken.reason == reason, text)
        #expect(broken.command == command, text)
        #expect(broken.advice?.contains(advice) == true, text)
        for word in words { #expect(explanation.description.contains(word), "\(word) is missing: \(text)") }
        #expect(explanation.steps.last == broken, text)
        // Three seconds is what the question is given, and two more what else is asked; the other tests take the rest, for
        // which this one waits where they are many.
        #expect(time < .seconds(150), text)
        if ProcessInfo.processInfo.environment["NETWATCH_SHOW_TIMES"] != nil { print("FAULT", name, time) }
        withExtendedLifetime(world) {}
    }
}
