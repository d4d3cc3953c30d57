package import Connectivity
package import EventLoop
import NetworkAddress
import Reachability

/// The live view as a pure function of what is known: from events and results to lines.
package struct Screen: Sendable {
    /// How many transitions are kept to be shown.
    private static let historyLimit = 100
    /// From how many rows on there is room for empty lines.
    private static let roomy = 20

    private let title: String
    private var current: Event?
    /// On the monotonic clock, in nanoseconds: the wall clock may be set.
    private var statusSince: UInt64?
    private var transitions: [Event] = []
    private var targets = TargetTable()
    /// How many lines of the whole are above the window; 0 for the summary that fits into it.
    private var offset = 0

    /// Whether there is something on it that grows older.
    package var hasAges: Bool { !targets.isEmpty }

    /// - Parameter title: What stands in the first line: the host's name.
    package init(title: String) {
        self.title = title
    }

    /// Takes an event in.
    package mutating func show(_ event: Event) {
        if current?.connectivity != event.connectivity || current?.reachability != event.reachability {
            statusSince = event.monotonic
        }
        current = event
        targets.take(event)
        guard event.kind == .transition else { return }
        transitions.append(event)
        transitions.removeFirst(max(0, transitions.count - Self.historyLimit))
    }

    /// Takes a result in that led to no event.
    package mutating func record(_ result: ProbeResult) {
        targets.record(result)
    }

    /// Moves the window over the whole.
    package mutating func scroll(_ movement: ScrollMovement, width: Int, height: Int) {
        guard let current else { return }
        let room = max(1, height - headLines(current, width, height, .plain, at: .now).count - 1)
        let whole = wholeHeight(sections(current, room: room, at: .now), isSpaced: height >= Self.roomy)
        let last = max(0, whole - room)
        offset =
            switch movement {
            case .lines(let count): min(max(offset + count, 0), last)
            case .pages(let count): min(max(offset + count * room, 0), last)
            case .start: 0
            case .end: last
            }
    }

    /// What a window of a size in columns and rows shows.
    ///
    /// - Parameter hint: What keys there are, for the person that looks.
    package func lines(
        width: Int, height: Int, style: Style, at now: MonotonicTime = .now, hint: String = "Ctrl-C ends"
    ) -> [String] {
        guard let current else { return ["waiting for the kernel's answer"] }
        var head = headLines(current, width, height, style, at: now)
        head[0].appendRight(hint, .faint, width: width)
        let room = max(0, height - head.count)
        let sections = sections(current, room: room, at: now)
        let isSpaced = height >= Self.roomy
        let body =
            offset == 0
            ? summary(sections, room: room, width, isSpaced: isSpaced, style)
            : part(of: sections, room: room, width, isSpaced: isSpaced, style)
        return (head + body).prefix(max(1, height)).map { $0.rendered(width: width, style: style) }
    }

    // MARK: The head

    private func headLines(
        _ event: Event, _ width: Int, _ height: Int, _ style: Style, at now: MonotonicTime
    ) -> [StyledLine] {
        var top = StyledLine("netwatch", .strong)
        top.append("  \(title)")
        var status = StyledLine(" \(style.bullet) \(event.connectivity.rawValue)", event.connectivity.tone)
        status.append("  \(VerdictWords.way(event))", .strong)
        if let statusSince {
            let present = event.wallNanoseconds(now.nanoseconds)
            status.append("  since \(TimeText.moment(event.wallNanoseconds(statusSince), seenAt: present))", .faint)
        }
        let most = height >= 12 ? 2 : 1
        let meaning = StyledLine.wrapped(VerdictWords.meaning(event), indent: "   ", width: width, most: most, .faint)
        let families = AddressFamily.allCases.map { familyLine($0, event.path[$0], style) }
        guard height >= Self.roomy else { return [top, status] + meaning + families }
        return [top, StyledLine(), status] + meaning + [StyledLine()] + families
    }

    private func familyLine(_ family: AddressFamily, _ path: FamilyPath, _ style: Style) -> StyledLine {
        var line = StyledLine("   \(family.words)  ")
        guard path.isUsable else {
            line.append(path.reason.map(VerdictWords.explanation) ?? style.absent, .faint)
            return line
        }
        let chain = path.via.isEmpty ? [path.interface ?? style.absent] : path.via
        line.append(chain.joined(separator: " \(style.arrow) "))
        if let gateway = path.gateway { line.append(" \(style.arrow) \(gateway)") }
        if let source = path.source { line.append("  from \(source)", .faint) }
        if let table = path.table, table != 254 { line.append("  table \(table)", .faint) }
        if let reason = path.reason { line.append("  \(reason.rawValue)", .warning) }
        return line
    }

    // MARK: The body

    /// Uplinks in use, targets, what is not in use, and what was, in this order.
    private func sections(_ event: Event, room: Int, at now: MonotonicTime) -> [LiveSection] {
        let (used, others) = InterfaceSection.parts(event.path)
        let isEmpty = used.isEmpty && others.isEmpty
        return [
            InterfaceSection.used(used, event), TargetSection.section(targets.rows(room: room / 2), at: now),
            isEmpty ? InterfaceSection.none : InterfaceSection.others(others, event, isAlone: used.isEmpty),
            TransitionSection.section(transitions, seenAt: event.wallNanoseconds(now.nanoseconds)),
        ]
    }

    /// Something of every section: all of it where there is room for that.
    private func summary(
        _ sections: [LiveSection], room: Int, _ width: Int, isSpaced: Bool, _ style: Style
    ) -> [StyledLine] {
        let heights = Self.heights(sections, room: room, isSpaced: isSpaced)
        return zip(sections, heights).flatMap { section, height in
            let isLedByGap = isSpaced && height > 2
            let lines = section.fitted(height - (isLedByGap ? 1 : 0), width: width, style)
            return isLedByGap && !lines.isEmpty ? [StyledLine()] + lines : lines
        }
    }

    /// How many lines each section gets: first one for each, then uplinks and targets as many as they want.
    private static func heights(_ sections: [LiveSection], room: Int, isSpaced: Bool) -> [Int] {
        let full = sections.map { $0.count == 0 ? 0 : $0.height + (isSpaced ? 1 : 0) }
        var heights = sections.map { _ in 0 }
        var left = room
        func grow(_ index: Int, to height: Int) {
            let more = min(max(min(height, full[index]) - heights[index], 0), left)
            heights[index] += more
            left -= more
        }
        let (uplinks, targets, others, transitions) = (0, 1, 2, 3)
        for index in isSpaced ? [uplinks, targets, others, transitions] : [uplinks, targets, others] {
            grow(index, to: 1)
        }
        grow(targets, to: 3)
        // In a low window they do without a header.
        grow(uplinks, to: min(room / 3, isSpaced ? .max : sections[uplinks].count))
        grow(targets, to: .max)
        grow(transitions, to: isSpaced ? 5 : 0)
        grow(others, to: .max)
        grow(transitions, to: .max)
        return heights
    }

    private func wholeHeight(_ sections: [LiveSection], isSpaced: Bool) -> Int {
        sections.reduce(0) { $0 + ($1.count == 0 ? 0 : $1.height + (isSpaced ? 1 : 0)) }
    }

    /// The lines of the whole that are in the window, and where it stands.
    private func part(
        of sections: [LiveSection], room: Int, _ width: Int, isSpaced: Bool, _ style: Style
    ) -> [StyledLine] {
        let whole = wholeHeight(sections, isSpaced: isSpaced)
        // There may be fewer lines than when it was scrolled.
        let offset = min(offset, max(0, whole - room + 1))
        let shown = offset..<max(offset, min(offset + room - 1, whole))
        var lines: [StyledLine] = []
        var start = 0
        for section in sections where section.count > 0 {
            if isSpaced {
                if shown.contains(start) { lines.append(StyledLine()) }
                start += 1
            }
            let own = shown.clamped(to: start..<(start + section.height))
            lines += section.lines((own.lowerBound - start)..<(own.upperBound - start), width: width, style)
            start += section.height
        }
        return lines + [StyledLine("  lines \(shown.lowerBound + 1) to \(shown.upperBound) of \(whole)", .faint)]
    }
}

/// Which way a person moves the window.
package enum ScrollMovement: Hashable, Sendable {
    /// Down, or up where it is less than 0.
    case lines(Int)
    case pages(Int)
    case start
    case end
}

extension ConnectivityStatus {
    var tone: Style.Tone {
        switch self {
        case .full: .good
        case .limited, .portal, .unknown: .warning
        case .local, .none: .bad
        }
    }
}
