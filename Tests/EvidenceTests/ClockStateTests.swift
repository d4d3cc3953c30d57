import Testing

@testable import Evidence

@Suite("What dates say of this host's clock")
struct ClockStateTests {
    private let certificate = UntimelyCertificate(name: "old", offsets: -200_000 ... -100_000)

    @Test(
        "a date explains a certificate that is valid at it, and is a day off or more",
        arguments: [
            (-150_000 as Int64, true), (-90_000, false), (-250_000, false), (0, false),
        ])
    func explains(offset: Int64, isExplained: Bool) {
        var clock = ClockState()
        clock.note(offset: offset)
        #expect(clock.explains(certificate) == isExplained)
    }

    @Test("a date is believed no more once another one disputed it, until a certificate is valid")
    func disputed() {
        var clock = ClockState()
        clock.note(offset: -150_000)
        clock.dispute()
        #expect(!clock.explains(certificate))
        clock.trust()
        #expect(clock.explains(certificate))
    }
}
