import Testing

extension Scenarios {
    @Test("one certificate of many servers that has expired is theirs, and not the clock's")
    func sharedCertificateExpired() async throws {
        let world = try ScenarioWorld()
        let story = try world.watchSecurely(1...4, plainly: 5...5)
        try await story.isWell()
        try await story.when("the certificate of three expires") {
            try world.certify(1...3, .expired, by: "shared.test")
        }.tells(
            Told.Verdict("limited", blame: "target", reason: "certificate-expired", down: ["t1", "t2", "t3"]),
            or: Told.Verdict("limited", blame: "target"), events: 1...3, within: 12)
        try await story.ends()
    }
}
