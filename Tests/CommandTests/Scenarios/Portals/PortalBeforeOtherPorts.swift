import TestSupport
import Testing

extension Scenarios {
    @Test("a portal that only plain HTTP can show is told as one, though nothing of that is watched")
    func portalBeforeOtherPorts() async throws {
        let world = try ScenarioWorld()
        try world.move("connectivitycheck.gstatic.com", to: ScenarioWorld.address(31))
        try world.set(.status(204), of: ScenarioWorld.address(31))
        // Servers that wait for a handshake, and do not reset what only connects.
        world.authority = try CertificateAuthority()
        try world.certify(1...3, .valid)
        let targets = (1...3).map { ScenarioWorld.Target("t\($0)", "tcp://\(ScenarioWorld.address($0)):443") }
        let story = try world.watch(targets)
        try await story.isWell()
        for time in ["all but port 80 is dropped, and that redirected", "the same after it was open"] {
            try await story.when(time) {
                try world.set(.redirect(to: "http://login.test/"), of: "all", ScenarioWorld.address(31))
                try world.router.run("nft", "add", "table", "ip", "portal")
                try world.router.run("nft", "add chain ip portal in { type filter hook input priority 0 ; }")
                try world.router.run("nft", "add rule ip portal in tcp dport != 80 drop")
            }.tells(Told.Verdict("portal", blame: "uplink", down: []), within: 6)
            try await story.when("a person has signed in") {
                try world.router.run("nft", "delete", "table", "ip", "portal")
                try world.set(.well, of: "all")
                try world.set(.status(204), of: ScenarioWorld.address(31))
            }.tells(.full, within: 12)
        }
        try await story.ends()
    }
}
