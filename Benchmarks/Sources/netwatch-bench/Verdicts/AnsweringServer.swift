import Foundation
import Synchronization

/// A server behind the uplinks that answers as it is told to, which may change at any time. It ends with the last
/// reference to it.
final class AnsweringServer {
    static let subcommand = "--answer"
    static let address = "10.99.0.1"

    private let process = Process()
    private let orders = Pipe()
    private let replies = Pipe()
    private let peer: [String]

    init(behind uplinks: Uplinks) throws {
        peer = ["nsenter", "--net=/proc/\(uplinks.peerID)/ns/net"]
        try command(peer + ["ip", "link", "set", "lo", "up"])
        try command(peer + ["ip", "address", "add", "\(Self.address)/32", "dev", "lo"])
        try command(peer + ["ip", "address", "add", "10.1.0.2/24", "dev", "p0"])
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = peer + [CommandLine.arguments[0], Self.subcommand, Self.address]
        process.standardInput = orders
        process.standardOutput = replies
        try process.runSignalled()
    }

    deinit {
        process.terminate()
        for _ in 0..<5000 where process.isRunning { usleep(1000) }
    }

    /// Returns when it behaves so.
    func behave(_ action: Behaviour.Action) throws {
        // What the kernel of the other side sends to us is lost by a route of its own.
        _ = try? command(peer + ["ip", "route", "delete", "blackhole", "10.1.0.1"])
        if action == .loss { try command(peer + ["ip", "route", "add", "blackhole", "10.1.0.1"]) }
        try orders.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(action) + Data("\n".utf8))
        guard try replies.fileHandleForReading.read(upToCount: 1) != nil else {
            throw BenchmarkError.silent("the server", waitedFor: "its new behaviour")
        }
    }
}

// MARK: In a process of its own, in the other namespace

extension AnsweringServer {
    /// `--answer ADDRESS`: listens on port 80, reads what to do from standard input, a JSON value a line, and confirms each
    /// with a line.
    static func serve(_ arguments: [String]) throws {
        guard let address = arguments.first else { throw BenchmarkError.unexpected("\(arguments)") }
        let door = Door(address: address)
        while let line = readLine() {
            try door.behave(JSONDecoder().decode(Behaviour.Action.self, from: Data(line.utf8)))
            FileHandle.standardOutput.write(Data("\n".utf8))
        }
    }
}

/// A listening socket, open unless connections are to be refused.
private final class Door: Sendable {
    private let address: String
    private let action = Mutex(Behaviour.Action.refusal)
    private let listener = Mutex<Int32?>(nil)

    init(address: String) {
        self.address = address
    }

    func behave(_ new: Behaviour.Action) throws {
        action.withLock { $0 = new }
        try listener.withLock { listener in
            if new == .refusal, let socket = listener {
                // shutdown(2) wakes the thread that waits for a connection; it closes the socket.
                shutdown(socket, Int32(SHUT_RDWR))
                listener = nil
            } else if new != .refusal, listener == nil {
                listener = try open()
            }
        }
    }

    private func open() throws -> Int32 {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, UInt32(MemoryLayout<Int32>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = UInt16(80).bigEndian
        inet_pton(AF_INET, address, &name.sin_addr)
        let size = UInt32(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
        }
        guard result == 0, listen(listener, 128) == 0 else { throw BenchmarkError.call("bind(2)", errno: errno) }
        Thread.detachNewThread { [self] in accept(on: listener) }
        return listener
    }

    private func accept(on listener: Int32) {
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            guard connection >= 0 else { break }
            Thread.detachNewThread { [self] in answer(connection) }
        }
        close(listener)
    }

    private func answer(_ connection: Int32) {
        var request = [UInt8](repeating: 0, count: 4096)
        if read(connection, &request, request.count) > 0 {
            switch action.withLock({ $0 }) {
            case .answer(let text):
                _ = text.withCString { send(connection, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
            case .silence: _ = read(connection, &request, request.count)
            case .refusal, .loss: break
            }
        }
        close(connection)
    }
}
