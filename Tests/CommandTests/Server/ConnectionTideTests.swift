import Testing

@testable import NetwatchService

@Suite("When many connections have gone")
struct ConnectionTideTests {
    /// How often there was memory to give back while the number of connections went this way.
    private func ebbs(_ numbers: [Int]) -> Int {
        var tide = ConnectionTide()
        var (last, count) = (0, 0)
        for number in numbers {
            if number > last {
                tide.rises(to: number)
            } else if tide.falls(to: number) {
                count += 1
            }
            last = number
        }
        return count
    }

    @Test("memory is given back after a burst, and again after the next")
    func burst() {
        #expect(ebbs([1000, 251]) == 0)
        #expect(ebbs([1000, 250]) == 1)
        #expect(ebbs([1000, 0, 1000, 0]) == 2)
        #expect(ebbs(Array(1...1000) + (0..<1000).reversed()) == 3)
    }

    @Test("a few that come and go are not worth it")
    func few() {
        #expect(ebbs([31, 0, 5, 0, 31, 7, 0]) == 0)
    }
}
