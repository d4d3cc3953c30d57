import EventLoop
import Foundation
import NetworkAddress
import RequestEngine
import Testing

@testable import Connectivity
@testable import Probing

@Suite("What is done a few a turn")
struct TurnQueueTests {
    @Test("has one chain of turns, whatever is added and removed between two of them")
    func chain() {
        var queue = TurnQueue<Int>(limit: 4)
        var turns: [[Int]] = []
        func add(_ new: Range<Int>) -> Bool { queue.add(Array(new)) }
        func hasAnother() -> Bool {
            turns.append(Array(queue.takeTurn()))
            return queue.endTurn()
        }
        #expect(!add(0..<0))
        #expect(add(0..<8))
        #expect(hasAnother())
        queue.removeAll { _ in true }
        // The turn that is to come finds them.
        #expect(!add(8..<14))
        #expect(hasAnother())
        #expect(!add(14..<15))
        #expect(!hasAnother())
        #expect(add(15..<16))
        #expect(!hasAnother())
        #expect(turns == [[0, 1, 2, 3], [8, 9, 10, 11], [12, 13, 14], [15]])
    }

    @Test("starts no more probes in one turn where those that waited were cancelled before theirs")
    func cancelledBeforeTheirTurn() async throws {
        let loop = try EventLoop()
        let worker = ProbeWorker(
            loop: loop, configuration: ConnectivityConfiguration(targets: []), trustStores: TrustStores()
        ) { _ in }
        let target = try Target("tcp://127.0.0.1:1")
        let probes = (0..<24).map { Probe(id: $0, target: target, timeout: .seconds(20)) }
        #expect(await worker.startAndCancel(probes) == 4)
        await worker.stop()
    }
}

extension ProbeWorker {
    /// All in one turn of the loop: how many were started in it.
    fileprivate func startAndCancel(_ probes: [Probe]) -> Int {
        start(probes.prefix(8).map(ProbeOrder.probe))
        cancel(probes[4..<8].map(\.id))
        start(probes.dropFirst(8).map(ProbeOrder.probe))
        return tasks.count
    }
}
