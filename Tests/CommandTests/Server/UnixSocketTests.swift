import Glibc
import NetworkAddress
import SystemPackage
import TestSupport
import Testing

@testable import NetwatchService

@Suite("The file of the service's Unix socket")
struct UnixSocketTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path.appending("s.sock").string }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A socket that is bound to the path, and listens where a backlog is given.
    private func bind(_ kind: __socket_type, backlog: CInt? = nil) throws -> FileDescriptor {
        let descriptor = FileDescriptor(rawValue: socket(AF_UNIX, CInt(kind.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0))
        let address = try #require(UnixAddress(path))
        #expect(address.withSocketAddress { Glibc.bind(descriptor.rawValue, $0, $1) } == 0)
        if let backlog { #expect(listen(descriptor.rawValue, backlog) == 0) }
        return descriptor
    }

    private var isThere: Bool { access(path, F_OK) == 0 }

    @Test("is removed at the end, and left where another server has bound its own meanwhile")
    func end() throws {
        let first = try UnixSocket(path)
        let old = try bind(SOCK_STREAM, backlog: 4)
        first.open()
        // A program that another test starts at this moment has it, too, until that is executed.
        #expect(shutdown(old.rawValue, CInt(SHUT_RDWR)) == 0)
        try old.close()
        // What listens no more is out of the way of a successor, whose file may get the old one's number.
        let second = try UnixSocket(path)
        #expect(!isThere)
        let new = try bind(SOCK_STREAM, backlog: 4)
        second.open()
        first.remove()
        #expect(isThere)
        second.remove()
        #expect(!isThere)
        try new.close()
    }

    @Test("is another program's where that listens, takes no more for now, or has a socket of another kind there")
    func others() throws {
        let kinds: [(__socket_type, CInt?, CInt)] = [
            (SOCK_STREAM, 4, EADDRINUSE), (SOCK_STREAM, 0, EADDRINUSE), (SOCK_DGRAM, nil, EPROTOTYPE),
            (SOCK_SEQPACKET, 4, EPROTOTYPE),
        ]
        for (kind, backlog, expected) in kinds {
            let other = try bind(kind, backlog: backlog)
            // With a backlog of none, one connection is the last that it takes.
            let waiting = try? UnixConnection(path)
            let error = #expect(throws: ListenError.self) { try UnixSocket(path) }
            #expect(error?.errno == expected && isThere, "\(String(describing: error))")
            withExtendedLifetime(waiting) {}
            try other.close()
            unlink(path)
        }
        let error = ListenError(endpoint: .unix(path), errno: EPROTOTYPE)
        #expect("\(error)".contains("another program has a socket of another kind there"))
    }
}
