import Testing

@testable import Evidence

@Suite("Targets that wait for their turn")
struct WaitingTargetsTests {
    @Test("stand in line once, in the order in which they came, and again when they have gone")
    func order() {
        var line = WaitingTargets()
        for target in [3, 1, 3, 2, 1] { line.join(target) }
        #expect(line.next() == 3)
        line.join(3)
        #expect([line.next(), line.next(), line.next()] == [1, 2, 3])
        #expect(line.next() == nil)
    }
}
