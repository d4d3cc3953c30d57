import RequestCore
import TestSupport
import Testing

@Suite("The queue of downloads")
struct DownloadQueueTests {
    @Test("four are active, the others wait and follow in order")
    func firstInFirstOut() {
        var queue = DownloadQueue<Int>()
        #expect((0..<6).flatMap { queue.add($0).actions.start } == [0, 1, 2, 3])
        #expect(queue.waitingCount == 2)
        #expect(queue.complete(2).actions.start == [4])
        #expect(queue.complete(0).actions.start == [5])
        #expect(queue.complete(1).actions.start == [])
    }

    @Test("the last in may be the first out")
    func lastInFirstOut() {
        var queue = DownloadQueue<Int>(maximumActive: 1, order: .lastInFirstOut)
        for key in 0..<4 { _ = queue.add(key) }
        #expect(queue.complete(0).actions.start == [3])
        #expect(queue.complete(3).actions.start == [2])
    }

    @Test("identical ones are begun once, and all who wait are told in their order")
    func merging() {
        var queue = DownloadQueue<String>()
        let first = queue.add("a")
        let second = queue.add("a")
        #expect(first.actions.start == ["a"])
        #expect(second.actions.start == [])
        #expect(first.receipt != second.receipt)
        #expect(queue.complete("a").receivers == [first.receipt, second.receipt])
        #expect(queue.add("a").actions.start == ["a"])
    }

    @Test("cancelling one receiver leaves the other")
    func cancelOne() {
        var queue = DownloadQueue<String>()
        let first = queue.add("a").receipt
        let second = queue.add("a").receipt
        #expect(queue.cancel(first) == .init())
        #expect(queue.cancel(first) == nil)
        #expect(queue.complete("a").receivers == [second])
        #expect(queue.cancel(second) == nil)
    }

    @Test("cancelling the last receiver ends the transfer and starts the next")
    func cancelLast() {
        var queue = DownloadQueue<String>(maximumActive: 1)
        let first = queue.add("a").receipt
        _ = queue.add("b")
        #expect(queue.cancel(first) == .init(start: ["b"], cancel: ["a"]))
        #expect(queue.complete("a").receivers == [])
        #expect(queue.active == ["b"])
    }

    @Test("cancelling one that waits frees no place it never had")
    func cancelWaiting() {
        var queue = DownloadQueue<Int>(maximumActive: 2)
        let receipts = (0..<5).map { queue.add($0).receipt }
        #expect(queue.cancel(receipts[3]) == .init())
        #expect(queue.active.count == 2)
        #expect(queue.complete(0).actions.start == [2])
        #expect(queue.complete(1).actions.start == [4])
    }

    @Test("over seeded steps never more are active than allowed, and everyone is answered once")
    func property() {
        var generator = SeededGenerator(seed: 4)
        for order in [DownloadOrder.firstInFirstOut, .lastInFirstOut] {
            var queue = DownloadQueue<Int>(maximumActive: 3, order: order)
            var running: Set<Int> = []
            var open: Set<DownloadQueue<Int>.Receipt> = []
            func apply(_ actions: DownloadQueue<Int>.Actions) {
                running.subtract(actions.cancel)
                running.formUnion(actions.start)
            }
            for _ in 0..<3000 {
                switch Int.random(in: 0..<5, using: &generator) {
                case 0, 1:
                    let (receipt, actions) = queue.add(Int.random(in: 0..<12, using: &generator))
                    #expect(open.insert(receipt).inserted)
                    apply(actions)
                case 2, 3:
                    guard let key = running.sorted().randomElement(using: &generator) else { continue }
                    running.remove(key)
                    let (receivers, actions) = queue.complete(key)
                    #expect(!receivers.isEmpty)
                    for receipt in receivers { #expect(open.remove(receipt) != nil) }
                    apply(actions)
                default:
                    guard let receipt = open.first else { continue }
                    open.remove(receipt)
                    if let actions = queue.cancel(receipt) { apply(actions) } else { Issue.record() }
                }
                #expect(running == queue.active)
                #expect(running.count <= 3)
                #expect(queue.waitingCount == 0 || running.count == 3)
                #expect(open.isEmpty == running.isEmpty)
            }
        }
    }
}
