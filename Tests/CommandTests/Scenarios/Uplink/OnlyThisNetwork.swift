import TestSupport
import Testing

extension Scenarios {
    @Test("without a way out those on the link are told as they are, all at once")
    func onlyThisNetwork() async throws {
        let world = try ScenarioWorld(.hub)
        let box = try world.addBox()
        let boxes = [ScenarioWorld.Target("router", "http://10.0.0.1/"), .init("box", "http://10.0.0.77/")]
        let story = try world.watch(boxes)
        try await story.isWell()
        try await story.when("the way out is gone") { try world.host.ip("route del default") }
            .tells(Told.Verdict("none", blame: "path", reason: "no-path", down: []), events: 1...2, within: 2)
        try await story.when("the box is gone") { try box.ip("link set far down") }
            .tells(Told.Verdict("none", blame: "path", down: ["box"], words: "router answered"), within: 8)
        try await story.when("there is a way out again, and the box is back") {
            try box.ip("link set far up")
            try world.host.ip("route add default via 10.0.0.1")
        }.tells(.full, or: Told.Verdict("unknown"), Told.Verdict("limited"), events: 1...3, within: 8)
        try await story.ends()
    }
}
