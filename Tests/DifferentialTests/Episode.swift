import EventLoop
import Reachability
import TestSupport

/// One run: a fresh pair of namespaces, monitors in it, and operations with quiet moments between them.
struct Episode {
    /// What did not agree, after which operations.
    struct Failure: Error, CustomStringConvertible {
        var operations: [Operation]
        var differences: [String]

        var description: String {
            "\(differences.joined(separator: "\n"))\nafter:\n\(Operation.script(operations))"
        }
    }

    private static let fewestLooks = 10

    let playground: Playground
    let loop: EventLoop
    private let monitors: [(question: Question, monitor: PathMonitor)]
    private let overall: PathMonitor

    init() async throws {
        playground = try Playground()
        try await playground.apply(Operation.beginning)
        loop = try EventLoop(name: "monitors", networkNamespace: playground.host.descriptor)
        overall = PathMonitor(loop: loop)
        var monitors: [(Question, PathMonitor)] = []
        for question in Question.all {
            monitors.append((question, PathMonitor(configuration: question.configuration, loop: loop)))
        }
        self.monitors = monitors
        _ = try await overall.start()
        for (_, monitor) in monitors { _ = try await monitor.start() }
    }

    func end() async {
        await overall.stop()
        for (_, monitor) in monitors { await monitor.stop() }
    }

    /// What all agreed on, and how long it took.
    struct Agreement {
        var verdicts: [Oracle.Verdict]
        /// How many interfaces were compared.
        var interfaces: Int
        var time: Duration
    }

    /// Applies operations and waits for the moment in which all agree.
    ///
    /// The kernel goes on by itself after an operation: it holds back news of carriers for up to a second, and takes
    /// routes away later than addresses. Both sides are asked again until they agree, for at most `limit`, and often enough:
    /// on a machine that has much to do a single look may take longer than that.
    ///
    /// - Parameter isSettled: Whether the monitors are to have looked for the last time before. Then their interfaces are
    ///   compared too.
    func agree(
        after operations: [Operation], isSettled: Bool, within limit: Duration = .seconds(4)
    ) async throws -> Agreement {
        try await playground.apply(operations)
        let start = ContinuousClock.now
        var looks = 0
        while true {
            looks += 1
            if isSettled { await settle() }
            // Each interface takes sixteen look-ups more.
            let questions = Question.all + Question.besides + (isSettled ? Question.byInterface : [])
            let oracle = Oracle(view: try await playground.look(questions))
            let path = overall.currentPath
            let differences = differences(oracle) + (isSettled ? Self.differences(oracle, path.interfaces) : [])
            let time = start.duration(to: .now)
            if differences.isEmpty {
                return Agreement(
                    verdicts: Question.all.map(oracle.judge), interfaces: isSettled ? path.interfaces.count : 0,
                    time: time)
            }
            guard time <= limit || looks < Self.fewestLooks else {
                throw Failure(operations: operations, differences: differences)
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    private func settle() async {
        for monitor in [overall] + monitors.map(\.monitor) {
            while await !monitor.isSettled { try? await Task.sleep(for: .milliseconds(1)) }
        }
    }

    private func differences(_ oracle: Oracle) -> [String] {
        let status = overall.currentPath.status
        let expected = oracle.status(Question.reference)
        return monitors.flatMap { differences($0.question, $0.monitor.currentPath, oracle.judge($0.question)) }
            + (status == expected ?? status ? [] : ["status: we say \(status), it ought to be \(expected ?? status)"])
    }

    private func differences(_ question: Question, _ path: Path, _ expected: Oracle.Verdict) -> [String] {
        let ours = path[question.family]
        var pairs = [("answer", ours.kernel, expected.kernel)]
        if !expected.isUncertain { pairs.append(("usable", "\(ours.isUsable)", "\(expected.isUsable)")) }
        if expected.isUsable, !expected.isUncertain {
            pairs += [
                ("interface", ours.interface, expected.interface ?? "none"),
                ("via", ours.via.joined(separator: " "), expected.via.joined(separator: " ")),
            ]
        }
        if expected.isUsable, !expected.isByAnother {
            pairs += [
                ("table", ours.table.map { "\($0)" }, "\(expected.table ?? 254)"),
                ("metric", "\(ours.metric ?? 0)", "\(expected.metric ?? 0)"),
            ]
        }
        return pairs.filter { $0.1 != $0.2 }.map { name, ours, theirs in
            "\(question.words): \(name): we say \(ours ?? "nothing") (\(ours == nil ? "" : path.reason?.rawValue ?? "")), "
                + "it ought to be \(theirs)"
        }
    }

    private static func differences(_ oracle: Oracle, _ interfaces: [Interface]) -> [String] {
        let missing = oracle.view.links.keys.filter { name in
            oracle.isListed(name) && !interfaces.contains { $0.name == name }
        }
        return missing.map { "\($0): it is not listed, and could carry traffic" }
            + interfaces.flatMap { differences(oracle, $0) }
    }

    private static func differences(_ oracle: Oracle, _ interface: Interface) -> [String] {
        var pairs = Question.families.compactMap { questions in
            questions.first.map { first in
                (
                    "\(first.family) usable", "\(interface[first.family].isUsable)",
                    "\(oracle.isUsable(interface.name, to: questions))"
                )
            }
        }
        // What carries a tunnel of which nothing is known is a guess.
        if oracle.view.links[interface.name]?.linkinfo?.info_kind != "tun" {
            pairs.append(("via", "\(interface.via)", "\(oracle.chain(of: interface.name))"))
        }
        return pairs.filter { $0.1 != $0.2 }.map { name, ours, theirs in
            "interface \(interface.name): \(name): we say \(ours), it ought to be \(theirs)"
        }
    }
}
