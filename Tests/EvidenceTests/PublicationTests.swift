import EventLoop
import Testing

@testable import Evidence

@Suite("What is told, and when")
struct PublicationTests {
    private let full = Verdict(.full)
    private let limited = Verdict(.limited, .target, .targetsFailed)
    private let none = Verdict(.none, .path, .noPath)

    @Test("another verdict is told at once, the same one never again")
    func atOnce() {
        var publication = Publication(sequence: 7)
        #expect(tell(&publication, full, false, 1) == full)
        #expect(tell(&publication, full, false, 2) == nil)
        #expect(tell(&publication, limited, true, 3) == limited)
        #expect(publication.sequence == 9)
    }

    @Test("more targets of the same blame are told each five seconds")
    func batches() {
        var publication = Publication(sequence: 0)
        #expect(tell(&publication, limited, true, 10) == limited)
        #expect(tell(&publication, limited, true, 11) == nil)
        #expect(tell(&publication, limited, true, 14.9) == nil)
        #expect(tell(&publication, limited, true, 15) == limited)
    }

    @Test("a hundred changes in twenty seconds are one line at the worst, and one at the end")
    func flapping() {
        var publication = Publication(sequence: 0)
        var lines: [Verdict] = []
        for change in 0..<200 {
            let now = 10 + Double(change) * 0.1
            tell(&publication, change.isMultiple(of: 2) ? full : none, false, now).map { lines.append($0) }
        }
        #expect(lines.count <= 7)
        #expect(lines.last == none)
        #expect(publication.isFlapping)
        #expect(tell(&publication, full, false, 35) == nil)
        #expect(tell(&publication, full, false, 42) == full)
        #expect(!publication.isFlapping)
    }

    @Test("what is found over another way is told at once, though the verdict has flapped until then")
    func otherWay() {
        var publication = flapping(full, none)
        publication.forget()
        #expect(tell(&publication, full, false, 18) == full)
        #expect(tell(&publication, none, false, 19) == none)
        #expect(tell(&publication, full, false, 20) == nil)
    }

    @Test("targets that changed while it flapped are told once it is quiet, though the verdict is the one told last")
    func targetsAfterFlapping() {
        var publication = flapping(limited, full)
        tell(&publication, limited, true, 18)
        #expect(publication.told == limited)
        #expect(tell(&publication, limited, true, 60) == limited)
        #expect(!publication.isFlapping)
    }

    /// One that has changed between two verdicts until second 17.
    private func flapping(_ first: Verdict, _ second: Verdict) -> Publication {
        var publication = Publication(sequence: 0)
        for change in 0..<8 {
            tell(&publication, change.isMultiple(of: 2) ? first : second, false, 10 + Double(change))
        }
        #expect(publication.isFlapping)
        return publication
    }

    @discardableResult
    private func tell(_ publication: inout Publication, _ verdict: Verdict, _ hasTargets: Bool, _ now: Double)
        -> Verdict?
    {
        guard case .tell(let told, _) = publication.decide(verdict, hasTargets: hasTargets, at: time(now)) else {
            return nil
        }
        _ = publication.publish(told, at: time(now))
        return told
    }
}
