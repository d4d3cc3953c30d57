import EventLoop
import RequestCore
import Testing

@Suite("The activity indicator")
struct ActivityIndicatorTests {
    private var indicator = ActivityIndicator()

    private func at(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: 5_000_000_000).advanced(by: .milliseconds(milliseconds))
    }

    @Test("it shows after a second and hides after 0.17")
    mutating func delays() {
        indicator.begin(at: at(0))
        #expect(indicator.deadline == at(1000))
        indicator.advance(to: at(999))
        #expect(!indicator.isVisible)
        indicator.advance(to: at(1000))
        #expect(indicator.isVisible)
        #expect(indicator.deadline == nil)
        indicator.end(at: at(2000))
        #expect(indicator.isVisible)
        #expect(indicator.deadline == at(2170))
        indicator.advance(to: at(2170))
        #expect(!indicator.isVisible)
        #expect(indicator.deadline == nil)
    }

    @Test("what is over within the delay never shows")
    mutating func burst() {
        indicator.begin(at: at(0))
        indicator.end(at: at(900))
        #expect(indicator.deadline == nil)
        indicator.advance(to: at(5000))
        #expect(!indicator.isVisible)
    }

    @Test("what begins again within the delay never hides")
    mutating func restart() {
        indicator.begin(at: at(0))
        indicator.advance(to: at(1000))
        indicator.end(at: at(1500))
        indicator.begin(at: at(1600))
        #expect(indicator.isVisible)
        #expect(indicator.deadline == nil)
    }

    @Test("a hundred activities make one on and one off")
    mutating func many() {
        var changes = 0
        var wasVisible = false
        for step in 0..<100 { indicator.begin(at: at(step * 20)) }
        for step in 100..<200 {
            indicator.end(at: at(step * 20))
            if indicator.isVisible != wasVisible {
                changes += 1
                wasVisible.toggle()
            }
        }
        indicator.advance(to: at(10_000))
        #expect(changes == 1)
        #expect(!indicator.isVisible)
        #expect(indicator.count == 0)
    }

    @Test("an end without a beginning does not count")
    mutating func unbalanced() {
        indicator.end(at: at(0))
        #expect(indicator.count == 0)
        indicator.begin(at: at(0))
        #expect(indicator.count == 1)
    }

    @Test("late calls see what has passed meanwhile")
    mutating func late() {
        indicator.begin(at: at(0))
        indicator.end(at: at(5000))
        #expect(indicator.isVisible)
        indicator.begin(at: at(9000))
        #expect(!indicator.isVisible)
        #expect(indicator.deadline == at(10_000))
    }
}
