import Glibc
import Testing

extension Scenarios {
    @Test("a program that was stopped for fifteen seconds tells that it has not looked, and blames nobody")
    func stopped() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the program is stopped for 15 s") {
            story.send(SIGSTOP)
            try await Task.sleep(for: .seconds(15))
            story.send(SIGCONT)
        }.tells(.full, or: Told.Verdict("unknown"), events: 0...2, within: 20)
        try await story.ends()
    }
}
