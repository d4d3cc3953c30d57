#if Service
import Connectivity
import NetwatchService
import Reachability
import Testing

@Suite("The live view")
struct ScreenTests {
    private static let plain = Style(usesColor: false, usesUnicode: true)

    private static func lines(
        _ events: Event..., width: Int = 100, height: Int = 30, style: Style = plain
    ) -> [String] {
        var screen = Screen(title: "host")
        for event in events { screen.show(event) }
        return screen.lines(width: width, height: height, style: style)
    }

    @Test("says before the first event that it waits")
    func waiting() {
        #expect(Self.lines() == ["waiting for the kernel's answer"])
    }

    @Test("shows the verdict, the way, the interfaces, the targets and the last transitions")
    func everything() {
        let lines = Self.lines(.snapshot(), .online)
        #expect(lines.contains { $0.hasPrefix(" ● full  ethernet via eth0 (192.0.2.1)  since ") })
        #expect(lines.contains("   IPv4  eth0 → 192.0.2.1  from 192.0.2.2"))
        #expect(lines.contains("   IPv6  no route leads out"))
        #expect(lines.contains { $0.contains("eth0       ethernet  up    usable  no-route  192.0.2.2/24") })
        #expect(
            lines.contains {
                $0.contains("http://192.0.2.9/  answers 204  23 ms  connect 12 ms · processing 11 ms")
            })
        #expect(
            lines.last?.hasSuffix("  none → full via eth0  default via 192.0.2.1 dev eth0 was added") == true)
    }

    @Test("shows the newest transition first")
    func order() throws {
        let lines = Self.lines(.snapshot(), .online, .carrierLost)
        let lost = try #require(lines.firstIndex { $0.hasSuffix("eth0 lost its carrier") })
        let added = try #require(lines.firstIndex { $0.hasSuffix("eth0 was added") })
        #expect(lost < added)
    }

    @Test("says why there is no path")
    func reason() {
        let lines = Self.lines(.snapshot(), .carrierLost)
        #expect(lines.contains { $0.contains("● none  none (no-carrier)") })
        #expect(lines.contains { $0.contains("the interface has no carrier") })
    }

    @Test("fits every window", arguments: [1, 2, 5, 20, 40, 80, 200], [1, 2, 3, 8, 24, 60])
    func fits(width: Int, height: Int) {
        let lines = Self.lines(.snapshot(), .online, .carrierLost, .online, width: width, height: height)
        #expect(lines.count <= height)
        #expect(lines.allSatisfy { $0.count <= width })
    }

    @Test("with more targets than lines shows those first that do not answer, and counts the rest")
    func manyTargets() throws {
        var event = Event.online
        event.probes = (0..<50).map { number in
            var probe = ProbeResult.success
            probe.target = "target\(number)"
            if number == 49 { probe.outcome = .failure }
            return probe
        }
        let lines = Self.lines(event, width: 80, height: 24)
        #expect(lines.count <= 24)
        let first = try #require(lines.firstIndex { $0.contains("TARGET") }) + 1
        #expect(lines[first].contains("target49 "), "\(lines)")
        #expect(lines[first + 1].contains("target0 "), "\(lines)")
        let shown = lines.count { $0.contains("  target") }
        #expect(lines.contains { $0.hasPrefix("  and \(50 - shown) more, none of them fails") }, "\(lines)")
    }

    @Test("keeps a bounded number of transitions")
    func bounded() {
        var screen = Screen(title: "host")
        for _ in 0..<1000 { screen.show(.online) }
        #expect(screen.lines(width: 80, height: 5000, style: Self.plain).count < 200)
    }

    @Test("uses no escape sequence without colour, and only ASCII where the terminal knows no more")
    func plainStyle() {
        let lines = Self.lines(.snapshot(), .online, style: Style(usesColor: false, usesUnicode: false))
        #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } })
    }

    @Test("colours the status as the verdict is", arguments: [(Event.online, "32"), (.carrierLost, "31")])
    func colours(event: Event, code: String) {
        let lines = Self.lines(event, style: Style(usesColor: true, usesUnicode: true))
        #expect(lines.contains { $0.hasPrefix("\u{1B}[\(code)m ● \(event.connectivity.rawValue)\u{1B}[0m") })
    }

    @Test("lets no name of the kernel's reach the terminal as an escape sequence")
    func hostileNames() {
        var event = Event.online
        event.path.interfaces[0].name = "e\u{1B}[2Jv\u{9B}il\u{202E}"
        event.cause.description = "\u{1B}]0;title\u{7}\n"
        let lines = Self.lines(event)
        #expect(
            lines.allSatisfy { line in
                line.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
            })
        #expect(lines.contains { $0.contains("e\u{FFFD}[2Jv\u{FFFD}il\u{FFFD}") })
    }

    @Test("takes its style from the environment")
    func environment() {
        #expect(Style(environment: ["LANG": "C.UTF-8", "TERM": "xterm"]) == Style(usesColor: true, usesUnicode: true))
        #expect(!Style(environment: ["NO_COLOR": "1", "TERM": "xterm"]).usesColor)
        #expect(Style(environment: ["NO_COLOR": "", "TERM": "xterm"]).usesColor)
        #expect(!Style(environment: ["TERM": "dumb"]).usesColor)
        #expect(!Style(environment: ["LC_ALL": "C", "LANG": "C.UTF-8"]).usesUnicode)
    }
}
#endif
