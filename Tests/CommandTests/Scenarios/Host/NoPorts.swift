import TestSupport
import Testing

extension Scenarios {
    @Test("a host that has no local port left for its connections blames itself, one event, and so is its end")
    func noPorts() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        let range = "net.ipv4.ip_local_port_range"
        let holder = """
            import socket, time
            held = [socket.socket() for _ in range(10)]
            for number, one in enumerate(held): one.bind(("0.0.0.0", 40000 + number)); one.listen()
            time.sleep(600)
            """
        let process = try world.host.start(["/usr/bin/python3", "-c", holder])
        // Before any probe takes one of them, which would end the holder.
        try FreePort.waitForListener("-t", "sport = :40009", in: world.host)
        try await story.when("no local port is left") {
            try world.host.run("sysctl", "-qw", "\(range)=40000 40009")
        }.tells(
            Told.Verdict("unknown", blame: "self", reason: "overloaded", words: "no local port"), within: 8, quiet: 10)
        try await story.when("there are others") {
            try world.host.run("sysctl", "-qw", "\(range)=32768 60999")
        }.tells(.full, within: 5.5)
        try await story.ends()
        withExtendedLifetime(process) {}
    }
}
