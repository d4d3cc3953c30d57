import Foundation

/// A link that is no part of the path and goes up and down ten thousand times a minute: how many events that makes, and what
/// it costs beside `ip monitor`.
struct Flaps {
    var program: String
    var seconds = 12

    private static let aMinute = 10_000

    func measure() throws -> [Figure] {
        let uplinks = try Uplinks()
        defer { withExtendedLifetime(uplinks) {} }
        try command("ip", "link", "add", "veth0", "type", "veth", "peer", "name", "eth0")
        defer { _ = try? command("ip", "link", "delete", "veth0") }
        let name = "\(Self.aMinute) ups and downs of another link a minute, \(seconds) s"
        return try BesideMonitor(program: program).figures(of: name, flap)
    }

    private func flap() throws {
        let batch = Process()
        batch.executableURL = URL(filePath: "/usr/bin/env")
        batch.arguments = ["ip", "-batch", "-"]
        let orders = Pipe()
        batch.standardInput = orders
        try batch.runSignalled()
        var next = ContinuousClock.now
        for _ in 0..<(Self.aMinute * seconds / 60) {
            try orders.fileHandleForWriting.write(contentsOf: Data(Self.upAndDown.utf8))
            next += .seconds(60) / Self.aMinute
            let wait = ContinuousClock.now.duration(to: next) / .microseconds(1)
            if wait > 0 { usleep(UInt32(wait)) }
        }
        try orders.fileHandleForWriting.close()
        while batch.isRunning { usleep(1000) }
    }

    private static let upAndDown = """
        link set veth0 up
        link set eth0 up
        link set eth0 down
        link set veth0 down

        """
}
