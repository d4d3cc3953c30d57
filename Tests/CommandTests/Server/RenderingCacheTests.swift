import Synchronization
import Testing

@testable import NetwatchService

@Suite("One rendering for all who ask")
struct RenderingCacheTests {
    /// A cache whose clock stands still, and what it rendered.
    private final class World: Sendable {
        let now = Mutex<UInt64>(0)
        let renderings = Mutex(0)

        func pass(milliseconds: UInt64) { now.withLock { $0 += milliseconds * 1_000_000 } }

        /// Renders for so long where nothing is there; returns which rendering it got.
        func ask(_ cache: RenderingCache, seq: UInt64, takes milliseconds: UInt64) -> String {
            let answer = cache.answer("metrics", seq: seq) {
                pass(milliseconds: milliseconds)
                let count = renderings.withLock { count in
                    count += 1
                    return count
                }
                return .text("\(count)")
            }
            return String(decoding: answer.bytes, as: UTF8.self)
        }
    }

    private let world = World()
    private let cache: RenderingCache

    init() {
        let world = world
        cache = RenderingCache { world.now.withLock { $0 } }
    }

    @Test("a short one counts for a tenth of a second")
    func short() {
        counts(for: 99, andNotAfter: 2, takes: 1)
    }

    @Test("a long one counts from its end, for ten times as long as it took")
    func long() {
        counts(for: 1400, andNotAfter: 200, takes: 150)
    }

    @Test("none outlives the state that it tells of")
    func change() {
        #expect(world.ask(cache, seq: 1, takes: 150) == "1")
        #expect(world.ask(cache, seq: 2, takes: 150) == "2")
        #expect(world.ask(cache, seq: 2, takes: 150) == "2")
    }

    /// A rendering is the answer for so many milliseconds, and no more so many after that.
    private func counts(
        for milliseconds: UInt64, andNotAfter more: UInt64, takes cost: UInt64,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(world.ask(cache, seq: 1, takes: cost) == "1", sourceLocation: sourceLocation)
        world.pass(milliseconds: milliseconds)
        #expect(world.ask(cache, seq: 1, takes: cost) == "1", sourceLocation: sourceLocation)
        world.pass(milliseconds: more)
        #expect(world.ask(cache, seq: 1, takes: cost) == "2", sourceLocation: sourceLocation)
    }
}
