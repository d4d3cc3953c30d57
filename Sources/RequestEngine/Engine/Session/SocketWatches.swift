import EventLoop
import Glibc

/// The sockets libcurl waits for, as watches of the loop.
///
/// libcurl stops waiting for a socket at the end of every transfer and begins anew with the next. The watch of a connection
/// stays until it is closed, which spares two system calls a request; should the server send or end something in between,
/// the watch is given up, and libcurl finds out when it next looks at the connection. What a server of HTTP/1 sends in
/// between is no answer to the next request, for which libcurl (7.88) would take it: such a connection is ended.
final class SocketWatches {
    private struct Entry {
        let watch: Watch
        var interest: Readiness
        /// Whether nothing may come while libcurl does not wait.
        var isSilent = false
        /// Whether libcurl waits now.
        var isAwaited: Bool
    }

    private let loop: EventLoop
    private let enter: ConnectionPool.Enter
    private var entries: [CInt: Entry] = [:]
    /// The sockets whose closing will be told. libcurl has others, and may close them unsaid.
    private(set) var connections: Set<CInt> = []

    init(loop: EventLoop, enter: @escaping ConnectionPool.Enter) {
        self.loop = loop
        self.enter = enter
    }

    deinit {
        for entry in entries.values { loop.end(entry.watch) }
    }

    // MARK: What libcurl tells

    func open(_ descriptor: CInt) {
        end(descriptor)
        connections.insert(descriptor)
    }

    /// A socket is about to be closed.
    func close(_ descriptor: CInt) {
        if let entry = entries.removeValue(forKey: descriptor) { loop.end(entry.watch) }
        connections.remove(descriptor)
    }

    /// Nothing may come over a connection until libcurl waits for it again. Where it waits already, the next transfer has begun.
    func expectSilence(_ descriptor: CInt) {
        guard entries[descriptor]?.isAwaited == false else { return }
        entries[descriptor]?.isSilent = true
    }

    func wait(for descriptor: CInt, _ interest: Readiness?) {
        guard let interest else { return rest(descriptor) }
        do throws(EventLoopError) {
            try ensureWatch(of: descriptor, for: interest)
        } catch {
            // The descriptor cannot be waited for: libcurl finds out what is wrong with it when it is told so.
            loop.schedule(after: .zero) { [enter] in enter { $0.ready(descriptor, .failed) } }
        }
    }

    private func ensureWatch(of descriptor: CInt, for interest: Readiness) throws(EventLoopError) {
        guard let index = entries.index(forKey: descriptor) else {
            let watch = try watch(descriptor, interest)
            entries[descriptor] = Entry(watch: watch, interest: interest, isAwaited: true)
            return
        }
        entries.values[index].isAwaited = true
        entries.values[index].isSilent = false
        guard entries.values[index].interest != interest else { return }
        try loop.update(entries.values[index].watch, interest: interest)
        entries.values[index].interest = interest
    }

    private func watch(_ descriptor: CInt, _ interest: Readiness) throws(EventLoopError) -> Watch {
        try loop.watch(descriptor, for: interest) { [enter] readiness in
            enter { $0.ready(descriptor, readiness) }
        }
    }

    /// Leaves a connection's watch for its next transfer.
    private func rest(_ descriptor: CInt) {
        guard connections.contains(descriptor) else { return end(descriptor) }
        entries[descriptor]?.isAwaited = false
    }

    private func end(_ descriptor: CInt) {
        if let entry = entries.removeValue(forKey: descriptor) { loop.end(entry.watch) }
    }

    // MARK: What the loop tells

    /// Whether libcurl waits for a socket on which something has happened; if not, the loop is to say it only once.
    ///
    /// - Parameter isUsed: Whether a request goes over the connection all the same: it may be suspended.
    func isAwaited(_ descriptor: CInt, isUsed: (CInt) -> Bool) -> Bool {
        guard let entry = entries[descriptor] else { return true }
        guard !entry.isAwaited else { return true }
        end(descriptor)
        if entry.isSilent, !isUsed(descriptor) { Self.spoil(descriptor) }
        return false
    }

    /// Makes a connection one that has ended, to libcurl, too: nothing is left to be read of it.
    private static func spoil(_ descriptor: CInt) {
        shutdown(descriptor, CInt(SHUT_RDWR))
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while unsafe recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT)) > 0 {}
    }
}
