#if Service
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
        #expect(world.ask(cache, seq: 1, takes: 1) == "1")
        world.pass(milliseconds: 99)
        #expect(world.ask(cache, seq: 1, takes: 1) == "1")
        world.pass(milliseconds: 2)
        #expect(world.ask(cache, seq: 1, takes: 1) == "2")
    }

    @Test("a long one counts from its end, for ten times as long as it took")
    func long() {
        #expect(world.ask(cache, seq: 1, takes: 150) == "1")
        world.pass(milliseconds: 1400)
        #expect(world.ask(cache, seq: 1, takes: 150) == "1")
        world.pass(milliseconds: 200)
        #expect(world.ask(cache, seq: 1, takes: 150) == "2")
    }

    @Test("none outlives the state that it tells of")
    func change() {
        #expect(world.ask(cache, seq: 1, takes: 150) == "1")
        #expect(world.ask(cache, seq: 2, takes: 150) == "2")
        #expect(world.ask(cache, seq: 2, takes: 150) == "2")
    }
}
#endif
