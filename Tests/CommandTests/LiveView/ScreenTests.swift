import Connectivity
import EventLoop
import Foundation
import NetwatchService
import NetworkAddress
import Reachability
import Testing

@Suite("The live view")
struct ScreenTests {
    private static let plain = Style(usesColor: false, usesUnicode: true)
    /// Five seconds after ``ProbeResult/success``.
    private static let now = MonotonicTime(nanoseconds: 5_000_000_007)

    private static func lines(
        _ events: Event..., width: Int = 100, height: Int = 30, style: Style = plain
    ) -> [String] {
        var screen = Screen(title: "host")
        for event in events { screen.show(event) }
        return screen.lines(width: width, height: height, style: style, at: now)
    }

    @Test("says before the first event that it waits")
    func waiting() {
        #expect(Self.lines() == ["waiting for the kernel's answer"])
    }

    @Test("shows the verdict, the way, the interfaces, the targets and the last transitions")
    func everything() {
        let lines = Self.lines(.snapshot(), .online)
        #expect(lines.contains { $0.hasPrefix(" ● full  ethernet via eth0  since ") })
        #expect(lines.contains("   IPv4  eth0 → 192.0.2.1  from 192.0.2.2"))
        #expect(lines.contains("   IPv6  no route leads out"))
        #expect(lines.contains { $0.contains("eth0       ethernet  up    usable  no-route  192.0.2.2/24") })
        #expect(
            lines.contains {
                $0.contains("http://192.0.2.9/  answers 204  23 ms  23 ms  23 ms  0%    5s   █        connect 12 m")
            })
        #expect(
            lines.last?.hasSuffix("  none → full via eth0  default via 192.0.2.1 dev eth0 was added") == true)
    }

    @Test("tells since when it is so by the clock as it goes at the latest event")
    func clock() {
        var later = Event.online
        later.monotonic += 5_000_000_000
        // The clock was set forward by an hour since.
        later.timeNanoseconds += 3_605_000_000_000
        let since = TimeText.timeOfDay(Event.testTime + 3_600_000_000_000)
        let lines = Self.lines(.online, later)
        #expect(lines.contains { $0.hasPrefix(" ● full  ethernet via eth0  since \(since)") }, "\(lines)")
    }

    @Test("what is of another day is told with its date")
    func otherDay() {
        var screen = Screen(title: "host")
        screen.show(.online)
        let days = MonotonicTime(nanoseconds: 3 * 86_400_000_000_000)
        let lines = screen.lines(width: 100, height: 30, style: Self.plain, at: days)
        let told = TimeText.moment(Event.testTime, seenAt: 0)
        #expect(told.hasPrefix("11-2") && told.hasSuffix(" " + TimeText.timeOfDay(Event.testTime)), "\(told)")
        #expect(lines.contains { $0.hasPrefix(" ● full  ethernet via eth0  since \(told)") }, "\(lines)")
        #expect(lines.last?.hasPrefix("  \(told)  none → full") == true, "\(lines)")
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

    // MARK: Targets

    private static func result(_ name: String, at second: UInt64, milliseconds: UInt64?) -> ProbeResult {
        var result = ProbeResult(
            target: name, outcome: milliseconds == nil ? .failure : .success, duration: (milliseconds ?? 1) * 1_000_000,
            time: MonotonicTime(nanoseconds: second * 1_000_000_000))
        if milliseconds == nil { result.failure = "nobody is there" }
        return result
    }

    @Test("shows of each target what it said last and when, the best and the mean, what was lost, and a row of bars")
    func history() throws {
        var screen = Screen(title: "host")
        var event = Event.online
        event.probes = []
        event.targets = [TargetHealth(target: "shop", status: .unknown)]
        screen.show(event)
        let style = Self.plain
        let asked = screen.lines(width: 120, height: 30, style: style, at: MonotonicTime(nanoseconds: 0))
        #expect(asked.contains { $0.contains("shop    not yet") }, "\(asked)")
        for (second, milliseconds) in [(1, 10), (2, nil), (3, 40), (4, 80), (5, 20)] as [(UInt64, UInt64?)] {
            screen.record(Self.result("shop", at: second, milliseconds: milliseconds))
        }
        // Once more, as an event brings it: it is one and the same.
        event.probes = [Self.result("shop", at: 5, milliseconds: 20)]
        screen.show(event)
        let lines = screen.lines(width: 120, height: 30, style: style, at: MonotonicTime(nanoseconds: 17_900_000_000))
        #expect(
            lines.contains("  shop    answers  20 ms  10 ms  37 ms  20%   12s  ▁×▄█▂"), "\(lines)")
        // What is older than the last minutes does not count any more.
        screen.record(Self.result("shop", at: 900, milliseconds: 30))
        let later = screen.lines(
            width: 120, height: 30, style: style, at: MonotonicTime(nanoseconds: 1_080_000_000_000))
        #expect(later.contains("  shop    answers  30 ms  30 ms  30 ms  0%    3m   █"), "\(later)")
    }

    @Test("goes on to show targets that an event leaves out, and forgets those that a snapshot does")
    func partialEvents() {
        var screen = Screen(title: "host")
        var all = Event.snapshot(.ethernet, .full, interfaces: ["eth0"])
        all.targets = ["a", "b"].map { TargetHealth(target: $0, status: .up) }
        all.probes = ["a", "b"].map { Self.result($0, at: 1, milliseconds: 1) }
        screen.show(all)
        var one = Event.online
        one.targets = [TargetHealth(target: "b", status: .down)]
        one.probes = [Self.result("b", at: 2, milliseconds: nil)]
        screen.show(one)
        func shows(_ text: String) -> Bool {
            screen.lines(width: 80, height: 30, style: Self.plain, at: Self.now).contains { $0.hasPrefix("  \(text)") }
        }
        #expect(shows("a       answers") && shows("b       fails"))
        all.targets.removeFirst()
        all.probes.removeFirst()
        screen.show(all)
        #expect(!shows("a ") && shows("b "))
    }

    @Test("a target has a row for each way that it is asked by now, and none for one that it was asked by")
    func ways() {
        var screen = Screen(title: "host")
        var event = Event.online
        var spare = event.path.interfaces[0]
        spare.index = 3
        spare.name = "wlan0"
        event.path.interfaces.append(spare)
        event.targets = [TargetHealth(target: "shop", status: .up)]
        var wired = Self.result("shop", at: 1, milliseconds: 7)
        var wireless = Self.result("shop", at: 1, milliseconds: nil)
        wired.interface = "eth0"
        wireless.interface = "wlan0"
        event.probes = [wired, wireless]
        screen.show(event)
        func shows(_ text: String) -> Bool {
            screen.lines(width: 80, height: 30, style: Self.plain, at: Self.now).contains { $0.hasPrefix("  \(text)") }
        }
        #expect(shows("shop (eth0)") && shows("shop (wlan0)"))
        // Nothing is known just now: what was there stays.
        event.probes = []
        screen.show(event)
        #expect(shows("shop (eth0)") && shows("shop (wlan0)"))
        event.probes = [wired]
        screen.show(event)
        #expect(shows("shop (eth0)") && !shows("shop (wlan0)"))
    }

    // MARK: What fits

    /// As many interfaces as a host of containers has, of which the last one carries the traffic, and so many targets.
    private static func crowd(interfaces: Int, targets: Int) -> Event {
        var event = Event.online
        let used = event.path.interfaces[0]
        event.path.interfaces = (0..<interfaces).map { number in
            var interface = used
            interface.index = UInt32(number + 10)
            interface.name = "veth\(number)"
            interface.ipv4 = InterfaceUsability(isUsable: false, reason: .noRoute)
            return interface
        }
        event.path.interfaces.append(used)
        event.targets = (0..<targets).map { TargetHealth(target: "target\($0)", status: .up) }
        event.probes = (0..<targets).map { result("target\($0)", at: 1, milliseconds: 7) }
        return event
    }

    @Test(
        "uplinks in use come first, then targets, and of other interfaces as many as there is room for",
        arguments: [(120, 40), (80, 24), (40, 12)])
    func order(width: Int, height: Int) throws {
        let lines = Self.lines(Self.crowd(interfaces: 36, targets: 2), width: width, height: height)
        #expect(lines.count <= height)
        let used = try #require(lines.firstIndex { $0.hasPrefix("  eth0 ") }, "\(lines)")
        let first = try #require(lines.firstIndex { $0.hasPrefix("  target0 ") }, "\(lines)")
        let second = try #require(lines.firstIndex { $0.hasPrefix("  target1 ") }, "\(lines)")
        let rest = try #require(lines.firstIndex { $0.contains(" more interface") }, "\(lines)")
        #expect(used < first && first < second && second < rest)
        #expect(lines[first].contains("7 ms"), "\(lines)")
        let shown = lines.count { $0.hasPrefix("  veth") }
        #expect(lines[rest] == "  and \(36 - shown) more interfaces")
    }

    @Test("a window that is lower than all there is can be moved over it, to the last line and back")
    func scrolling() throws {
        var screen = Screen(title: "host")
        screen.show(Self.crowd(interfaces: 36, targets: 60))
        func lines() -> [String] { screen.lines(width: 80, height: 24, style: Self.plain, at: Self.now) }
        let summary = lines()
        #expect(!summary.contains { $0.contains("target59") })
        screen.scroll(.lines(1), width: 80, height: 24)
        #expect(lines() != summary)
        #expect(lines().contains { $0.hasPrefix("  lines 2 to ") }, "\(lines())")
        for _ in 0..<60 { screen.scroll(.lines(1), width: 80, height: 24) }
        #expect(lines().contains { $0.contains("target59") }, "\(lines())")
        #expect(lines()[0].hasPrefix("netwatch  host"))
        screen.scroll(.end, width: 80, height: 24)
        #expect(lines().contains { $0.contains("was added") }, "\(lines())")
        #expect(lines().count == 24)
        screen.scroll(.pages(1000), width: 80, height: 24)
        #expect(lines().contains { $0.contains("was added") }, "\(lines())")
        screen.scroll(.pages(-1), width: 80, height: 24)
        #expect(lines().contains { $0.contains("veth") }, "\(lines())")
        screen.scroll(.start, width: 80, height: 24)
        #expect(lines() == summary)
        screen.scroll(.lines(-1), width: 80, height: 24)
        #expect(lines() == summary)
    }

    @Test(
        "wide characters take two columns, accents none, and no line is wider than the window",
        arguments: ["東京サーバー", "한국어서버이름", "e\u{301}e\u{301}cole", "🛰️ 🚀 station", "ｗｉｄｅ"], [20, 40, 41, 80])
    func wideNames(name: String, width: Int) throws {
        var event = Event.online
        event.targets = [name, "b"].map { TargetHealth(target: $0, status: .up) }
        event.probes = [name, "b"].map { Self.result($0, at: 1, milliseconds: 7) }
        let lines = Self.lines(event, width: width)
        #expect(lines.allSatisfy { columns($0) <= width }, "\(lines)")
        guard width >= 60 else { return }
        let rows = lines.filter { $0.contains("answers  7 ms") }
        // What stands below one another is in the same column.
        let places = rows.map { row in columns(String(row[..<(row.range(of: "answers")?.lowerBound ?? row.startIndex)]))
        }
        #expect(rows.count == 2 && Set(places).count == 1, "\(lines)")
    }

    /// What the characters of these tests take on a terminal, told here once more and otherwise.
    private func columns(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { sum, scalar in
            switch scalar.value {
            case 0x301: sum
            // Asks for a coloured picture, which is as wide as two.
            case 0xFE0F: sum + 1
            case 0x3000...0x9FFF, 0xAC00...0xD7A3, 0xFF00...0xFFEF, 0x1F680: sum + 2
            default: sum + 1
            }
        }
    }

    @Test("a name beyond ASCII is told by question marks where the terminal knows no more")
    func asciiNames() {
        var event = Event.online
        event.targets = [TargetHealth(target: "東京", status: .up)]
        event.probes = [Self.result("東京", at: 1, milliseconds: 0)]
        let lines = Self.lines(event, style: Style(usesColor: false, usesUnicode: false))
        #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  ??") && $0.contains("0 us") }, "\(lines)")
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
        event.targets = event.probes.map { probe in
            TargetHealth(target: probe.target, status: probe.outcome == .success ? .up : .down)
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
