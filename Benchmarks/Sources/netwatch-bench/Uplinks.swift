import CKernelFloor
import Foundation

/// Two veth uplinks, `w0` and `w1`, with their peers in a network namespace of their own, and the default route over one.
final class Uplinks: Sendable {
    private let peer: Program
    /// A process in the namespace of the other ends.
    var peerID: Int32 { peer.processID }
    private let socket: Int32
    private let indexes: [UInt32]

    init() throws {
        peer = try Program(["unshare", "--net", "sleep", "infinity"], name: "the peer")
        socket = kernel_floor_open()
        guard socket >= 0 else { throw BenchmarkError.call("socket(AF_NETLINK)", errno: -socket) }
        let ours = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/net")
        while try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(peer.processID)/ns/net") == ours {
            usleep(1000)
        }
        for number in 0...1 { try Self.make(number, peer: peer.processID) }
        for number in 0...1 { try Self.awaitUp("w\(number)") }
        indexes = (0...1).map { if_nametoindex("w\($0)") }
        _ = try moveDefault(to: 0)
    }

    /// Until the kernel has seen the carrier of a new link it drops what is sent by it, and no route over it is a way.
    private static func awaitUp(_ link: String) throws {
        for _ in 0..<5000 {
            let state = try String(contentsOfFile: "/sys/class/net/\(link)/operstate", encoding: .utf8)
            if state == "up\n" { return }
            usleep(1000)
        }
        throw BenchmarkError.unexpected("\(link) has no carrier after 5 s")
    }

    deinit {
        close(socket)
        for number in 0...1 { _ = try? command("ip", "link", "delete", "w\(number)") }
    }

    /// Makes the default route lead over an uplink; returns when the request was sent.
    func moveDefault(to number: Int) throws -> UInt64 {
        var sent: UInt64 = 0
        let gateway = UInt32(bigEndian: 0x0A00_0002 | UInt32(number + 1) << 16)
        let result = kernel_floor_replace_default(socket, indexes[number], gateway, &sent)
        guard result == 0 else { throw BenchmarkError.call("RTM_NEWROUTE", errno: -result) }
        return sent
    }

    /// Takes away the default route that was moved last; returns when the request was sent.
    func dropDefault() throws -> UInt64 {
        var sent: UInt64 = 0
        let result = kernel_floor_delete_default(socket, &sent)
        guard result == 0 else { throw BenchmarkError.call("RTM_DELROUTE", errno: -result) }
        return sent
    }

    private static func make(_ number: Int, peer: Int32) throws {
        try command("ip", "link", "add", "w\(number)", "type", "veth", "peer", "name", "p\(number)", "netns", "\(peer)")
        try command("ip", "address", "add", "10.\(number + 1).0.1/24", "dev", "w\(number)")
        try command("nsenter", "--net=/proc/\(peer)/ns/net", "ip", "link", "set", "p\(number)", "up")
        try command("ip", "link", "set", "w\(number)", "up")
    }
}
