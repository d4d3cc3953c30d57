import Testing
import World

@Suite("A world in which the truth is known")
struct WorldTests {
}
