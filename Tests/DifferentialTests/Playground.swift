import EventLoop
import Foundation
import TestSupport

/// A host's namespace and that of its peers, and the thread in the host's that may block on programs.
///
/// Programs that the thread starts are in the host's namespace too. It is a thread of its own, so that waiting for them
/// does not hold up the tests that run at the same time.
actor Playground {
    nonisolated let host: TestNamespace
    private let peer: TestNamespace
    private let loop: EventLoop

    init() throws {
        host = try TestNamespace()
        peer = try TestNamespace()
        loop = try EventLoop(name: "playground", networkNamespace: host.descriptor)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Applies operations in their order. Those that the kernel refuses change nothing.
    func apply(_ operations: [Operation]) throws {
        var rest = operations[...]
        while let place = rest.first?.place {
            let group = rest.prefix { $0.place == place }
            rest = rest.dropFirst(group.count)
            try apply(group.map(\.text), at: place)
        }
    }

    private func apply(_ lines: [String], at place: Operation.Place) throws {
        switch place {
        case .host: try batch(["ip", "-force", "-batch", "-"], lines)
        case .host6: try batch(["ip", "-6", "-force", "-batch", "-"], lines)
        case .peer: try batch(["nsenter", "--net=\(peer.path)", "ip", "-force", "-batch", "-"], lines)
        case .setting: lines.forEach(set)
        }
    }

    private func batch(_ command: [String], _ lines: [String]) throws {
        let text = lines.joined(separator: "\n").replacing("PEER", with: peer.path)
        _ = try Command.capture(command, input: text + "\n")
    }

    /// `/proc/sys/net` is that of the namespace of the thread that opens it.
    private func set(_ line: String) {
        let parts = line.split(separator: "=")
        let path = "/proc/sys/" + parts[0].replacing(".", with: "/")
        try? Data(parts[1].utf8).write(to: URL(fileURLWithPath: path))
    }

    /// What the kernel itself says now.
    func look(_ questions: [Question]) throws -> KernelView {
        let lines = KernelView.batch(questions)
        let result = try Command.capture(
            ["ip", "-d", "-N", "-j", "-force", "-batch", "-"], input: lines.joined(separator: "\n") + "\n")
        return try KernelView(result, questions: questions)
    }
}
