import Testing

extension Scenarios {
    @Test("where all targets are silent and others answer, it is the targets")
    func allTargets() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("all five fall silent") { try world.silence((1...5).map(ScenarioWorld.address)) }
            .tells(
                Told.Verdict("limited", blame: "target", down: Set((1...5).map { "t\($0)" }), words: "answered"),
                events: 1...3, within: 10)
        try await story.ends()
    }

    @Test("half of the targets on one dead server are told together")
    func halfOnOneServer() async throws {
        let world = try ScenarioWorld()
        let shared = (1...5).map { ScenarioWorld.Target("s\($0)", "http://\(ScenarioWorld.address(30))/\($0)") }
        let story = try world.watch(shared + ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the server of five targets falls silent") {
            try world.silence(ScenarioWorld.address(30))
        }.tells(
            Told.Verdict("limited", blame: "target", down: Set((1...5).map { "s\($0)" }), words: "answered"), within: 8)
        try await story.ends()
    }

    @Test("the only target is at fault where others can be asked that are none")
    func onlyTarget() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch([.number(1)])
        try await story.isWell()
        try await story.when("the only target falls silent") { try world.silence(ScenarioWorld.address(1)) }
            .tells(Told.Verdict("limited", blame: "target", down: ["t1"], words: "answered"), within: 7)
        try await story.when("it is back") { try world.unsilence(ScenarioWorld.address(1)) }.tells(.full, within: 5)
        try await story.ends()
    }

    @Test("at the start, too, the only target is at fault where others answer")
    func coldStartOnlyTarget() async throws {
        let world = try ScenarioWorld()
        try world.silence(ScenarioWorld.address(1))
        let story = try world.watch([.number(1)])
        try await story.tells(
            Told.Verdict("limited", blame: "target", down: ["t1"], words: "answered"), or: Told.Verdict("unknown"),
            events: 2...2, within: 7)
        try await story.ends()
    }

    @Test("whose fault the silence of the only target is cannot be told where nobody else may be asked")
    func onlyTargetAlone() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch([.number(1)], #""defaultProbes": false"#)
        try await story.isWell()
        try await story.when("the only target falls silent") { try world.silence(ScenarioWorld.address(1)) }
            .tells(Told.Verdict("local", blame: "unknown", down: [], words: "it alone is asked"), within: 8)
        try await story.when("it is back") { try world.unsilence(ScenarioWorld.address(1)) }.tells(.full, within: 7)
        try await story.ends()
    }

    @Test("nor can it be told of a name server that is asked for records, and nobody else")
    func onlyServerAlone() async throws {
        let world = try ScenarioWorld()
        let server = ScenarioWorld.Target("names", "dns://\(ScenarioWorld.distantNames)/t1.test")
        let story = try world.watch([server], #""defaultProbes": false"#)
        try await story.isWell()
        try await story.when("it falls silent") { try world.silence(ScenarioWorld.distantNames) }
            .tells(Told.Verdict("local", blame: "unknown", down: [], words: "it alone is asked"), within: 8)
        try await story.when("it is back") { try world.unsilence(ScenarioWorld.distantNames) }.tells(.full, within: 7)
        try await story.ends()
    }

    @Test("a quorum of two is not met by the first that answers")
    func quorumOfTwo() async throws {
        let world = try ScenarioWorld()
        try world.set(.reset, of: ScenarioWorld.address(1), ScenarioWorld.address(2), ScenarioWorld.address(3))
        let story = try world.watch(ScenarioWorld.Target.numbers(1...4), #""policy": {"quorum": 2}"#)
        try await story.tells(
            Told.Verdict("limited", blame: "target", down: ["t1", "t2", "t3"]), or: Told.Verdict("unknown"),
            events: 2...2, within: 5)
        try await story.ends()
    }

    @Test("seventeen silent targets of twenty are seventeen targets, in few events")
    func seventeenOfTwenty() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...20))
        try await story.isWell()
        try await story.when("all but the last three fall silent") {
            try world.silence((1...17).map(ScenarioWorld.address))
        }.tells(
            Told.Verdict("limited", blame: "target", down: Set((1...17).map { "t\($0)" }), words: "answered"),
            events: 1...3, within: 12)
        try await story.ends()
    }

    @Test("at the start, too, seventeen silent targets of twenty are seventeen targets")
    func coldStartSeventeenOfTwenty() async throws {
        let world = try ScenarioWorld()
        try world.silence((1...17).map(ScenarioWorld.address))
        let story = try world.watch(ScenarioWorld.Target.numbers(1...20))
        try await story.tells(
            Told.Verdict("limited", blame: "target", down: Set((1...17).map { "t\($0)" }), words: "answered"),
            or: Told.Verdict("unknown"), events: 2...4, within: 12)
        try await story.ends()
    }

    @Test("ten of two hundred targets on one dead server are one event")
    func tenOfTwoHundred() async throws {
        let world = try ScenarioWorld()
        let targets = (0..<200).map { number in
            let address = number < 10 ? 40 : 1 + number % 39
            return ScenarioWorld.Target("t\(number)", "http://\(ScenarioWorld.address(address))/\(number)")
        }
        let story = try world.watch(targets, interval: 5)
        try await story.isWell(for: 5)
        try await story.when("the server of ten falls silent") { try world.silence(ScenarioWorld.address(40)) }
            .tells(
                Told.Verdict("limited", blame: "target", down: Set((0..<10).map { "t\($0)" }), words: "answered"),
                within: 10)
        try await story.ends()
    }

    @Test("three silent targets of twenty are three targets, not the uplink")
    func threeOfTwenty() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...20))
        try await story.isWell()
        try await story.when("the first three fall silent") {
            try world.silence((1...3).map(ScenarioWorld.address))
        }.tells(
            Told.Verdict("limited", blame: "target", down: ["t1", "t2", "t3"], words: "answered"), events: 1...2,
            within: 8)
        try await story.ends()
    }

    @Test("at the start, too, three silent targets of twenty are three targets")
    func coldStartThreeOfTwenty() async throws {
        let world = try ScenarioWorld()
        try world.silence((1...3).map(ScenarioWorld.address))
        let story = try world.watch(ScenarioWorld.Target.numbers(1...20))
        try await story.tells(
            Told.Verdict("limited", blame: "target", down: ["t1", "t2", "t3"], words: "answered"),
            or: Told.Verdict("unknown"), events: 2...3, within: 8)
        try await story.ends()
    }
}
