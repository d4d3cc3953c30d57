import CTestNamespace
import Foundation
import Glibc
public import SystemPackage

/// A network namespace of a test's own. It ends, with every link in it, when the last reference to it is gone.
///
/// The test process runs in a namespace of its own from the start (see CTestNamespace), so that nothing a test does
/// reaches the host.
public final class TestNamespace: Sendable {
    /// Names the namespace for system calls and for `EventLoop(networkNamespace:)`.
    public let descriptor: FileDescriptor

    /// Why namespaces cannot be made here; nil where they can. Suites that need them are enabled by it.
    public static var unavailable: String? {
        let failure = netwatch_test_namespace_errno()
        return failure == 0 ? nil : "no namespaces here: \(Errno(rawValue: failure))"
    }

    /// Makes a new, empty namespace with its loopback link up.
    public init() throws {
        var request = NamespaceRequest()
        var thread = pthread_t()
        // A thread that makes the namespace and ends: no other thread of the process is moved into it.
        let result = withUnsafeMutablePointer(to: &request) { pointer in
            let result = pthread_create(
                &thread, nil,
                {
                    $0?.assumingMemoryBound(to: NamespaceRequest.self).pointee.serve(); return nil
                }, pointer)
            if result == 0 { pthread_join(thread, nil) }
            return result
        }
        guard result == 0 else { throw Errno(rawValue: result) }
        guard request.failure == 0 else { throw Errno(rawValue: request.failure) }
        descriptor = FileDescriptor(rawValue: request.descriptor)
        try run("ip", "link", "set", "lo", "up")
    }

    deinit {
        try? descriptor.close()
    }

    /// The namespace as a path that `ip link set LINK netns PATH` and `nsenter --net=PATH` accept.
    public var path: String { "/proc/\(getpid())/fd/\(descriptor.rawValue)" }

    /// Runs a program inside to its end and returns what it printed.
    @discardableResult
    public func run(_ arguments: String...) throws -> String {
        try Command.run(enter + arguments)
    }

    /// Runs `ip` commands inside, one a line, as fast as one process sends them.
    public func ip(_ batch: String) throws {
        try Command.run(enter + ["ip", "-batch", "-"], input: batch + "\n")
    }

    /// Starts a program inside that goes on until the returned handle is released.
    public func start(_ arguments: String...) throws -> BackgroundProcess {
        try start(arguments)
    }

    public func start(_ arguments: [String]) throws -> BackgroundProcess {
        try BackgroundProcess(enter + arguments)
    }

    /// What a command begins with that is to run inside.
    public var enter: [String] { ["nsenter", "--net=\(path)", "--"] }
}

/// What the short-lived thread is asked for, and its answer.
private struct NamespaceRequest {
    var descriptor: CInt = -1
    var failure: CInt = 0

    mutating func serve() {
        guard netwatch_test_unshare_network() == 0 else {
            failure = errno
            return
        }
        descriptor = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { failure = errno }
    }
}
