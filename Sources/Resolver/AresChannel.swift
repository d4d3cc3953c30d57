import CCares
import CLinux
import EventLoop
import Glibc
import NetworkAddress
import SystemPackage

/// Owns one c-ares channel: its servers, its sockets and its pending queries. Confined to the resolver's loop.
@safe
final class AresChannel {
    /// Told when c-ares wants a socket watched, or (neither) no longer.
    typealias SocketInterest = (_ descriptor: CInt, _ readable: Bool, _ writable: Bool) -> Void

    private var channel: ares_channel?
    private let interface: String?
    private let socketInterest: SocketInterest
    /// Why the last query's socket could not be bound to the interface; nil where it could.
    private(set) var bindingError: ResolverError?
    /// What the kernel's last refusal since a query was sent tells of the server; nil where it has refused nothing.
    private(set) var failure: ServerWord?
    /// When the server last said what is no answer by itself: that it is to be asked by TCP, or anything by that.
    private(set) var heardAt: MonotonicTime?
    /// Whether a filter of this host's own has kept a question back.
    private var isFiltered = false
    /// Why this host has had no socket or port for the last query; nil where it had.
    private(set) var shortage: Errno?
    /// How many calls of its sockets have failed.
    private(set) var failedCalls = 0
    /// The servers that are known by one link alone.
    private let zoned: [NameServer]

    init(_ configuration: ResolverConfiguration, socketInterest: @escaping SocketInterest) throws(ResolverError) {
        interface = configuration.interface
        zoned = configuration.servers.filter { $0.zone != nil }
        self.socketInterest = socketInterest
        try AresLibrary.initialize()
        try open(configuration)
        try setServers(configuration.servers)
        unsafe ares_set_socket_functions(channel, QuerySockets.functions, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        if let channel = unsafe channel { unsafe ares_destroy(channel) }
    }

    /// Sends a query. The reply comes from ``process(readable:writable:)`` or at once.
    func send(_ query: Query) { send(Question(query, repeatedBy: self)) }

    private func send(_ question: Question) {
        bindingError = nil
        failure = nil
        isFiltered = false
        shortage = nil
        unsafe ares_query(
            channel, question.query.name, 1, question.query.type.code,
            { context, status, _, bytes, count in
                guard let context = unsafe context else { return }
                let question = unsafe Unmanaged<Question>.fromOpaque(context).takeRetainedValue()
                let reply = unsafe UnsafeBufferPointer(start: bytes, count: max(0, Int(count)))
                // A server that does not know EDNS says so of each question that has it. From the first such answer on
                // c-ares leaves it out, and asks that question again; those that were under way are left to this.
                if [ARES_EFORMERR, ARES_ENOTIMP].contains(status), let channel = question.repeater {
                    channel.send(Question(question.query, repeatedBy: nil))
                } else {
                    unsafe question.query.finish(status: status, bytes: Array(reply))
                }
            }, unsafe Unmanaged.passRetained(question).toOpaque())
    }

    /// Lets c-ares read and write its sockets, and repeat what is overdue.
    func process(readable: CInt?, writable: CInt?) {
        unsafe ares_process_fd(channel, readable ?? ARES_SOCKET_BAD, writable ?? ARES_SOCKET_BAD)
    }

    /// When c-ares wants to be called again even if no socket is ready; nil for never.
    var nextTimeout: Duration? {
        var time = timeval()
        guard unsafe ares_timeout(channel, nil, &time) != nil else { return nil }
        return .seconds(time.tv_sec) + .microseconds(time.tv_usec)
    }

    private func open(_ configuration: ResolverConfiguration) throws(ResolverError) {
        var options = unsafe ares_options()
        unsafe options.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES | ARES_FLAG_EDNS
        // c-ares forgets why a server refused while it goes on to the next; with one server the reason is the answer.
        if configuration.servers.count == 1 { unsafe options.flags |= ARES_FLAG_NOCHECKRESP }
        if configuration.isOverTCP { unsafe options.flags |= ARES_FLAG_USEVC }
        unsafe options.timeout = CInt(clamping: configuration.attemptTimeout.milliseconds)
        unsafe options.tries = CInt(clamping: max(1, configuration.attempts))
        unsafe options.sock_state_cb = { context, descriptor, readable, writable in
            unsafe AresChannel.from(context)?.socketInterest(descriptor, readable != 0, writable != 0)
        }
        unsafe options.sock_state_cb_data = Unmanaged.passUnretained(self).toOpaque()
        let nothing = unsafe netwatch_ares_remember_nothing(&options)
        let mask = ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_SOCK_STATE_CB | nothing
        let status = unsafe ares_init_options(&channel, &options, mask)
        guard status == ARES_SUCCESS else {
            throw unsafe .setup(reason: String(cString: ares_strerror(status)))
        }
    }

    private func setServers(_ servers: [NameServer]) throws(ResolverError) {
        guard !servers.isEmpty else { return }
        let list = servers.map(\.withoutZone.description).joined(separator: ",")
        let status = unsafe ares_set_servers_ports_csv(channel, list)
        guard status == ARES_SUCCESS else {
            throw .setup(reason: unsafe "name servers \(list): \(String(cString: ares_strerror(status)))")
        }
    }

    /// Makes a socket for queries; -1, and `errno`, where there is none to be had.
    func openSocket(_ family: CInt, _ kind: CInt, _ number: CInt) -> CInt {
        let flags = CInt(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, kind | flags, number)
        guard descriptor >= 0 else {
            failure = .unsent
            shortage = Errno(rawValue: errno)
            return -1
        }
        QuerySockets.wantErrors(descriptor, family)
        guard bind(descriptor) else {
            failure = .unsent
            close(descriptor)
            errno = ENODEV
            return -1
        }
        return descriptor
    }

    /// Connects a query's socket, by the server's own link where it has one: c-ares knows of none.
    func connect(_ descriptor: CInt, _ address: UnsafePointer<sockaddr>?, _ count: socklen_t) -> CInt {
        guard let address = unsafe address, !zoned.isEmpty, Int(count) >= MemoryLayout<sockaddr_in6>.size,
            unsafe Int32(address.pointee.sa_family) == AF_INET6
        else { return unsafe Glibc.connect(descriptor, address, count) }
        var place = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self)
        let wanted = unsafe withUnsafeBytes(of: place.sin6_addr) { unsafe IPv6Address(bytes: $0) }
        let server = zoned.first { wanted.map(IPAddress.v6) == $0.address }
        place.sin6_scope_id = server?.zoneIndex ?? 0
        return unsafe withUnsafePointer(to: place) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, count)
            }
        }
    }

    /// Takes note that the server itself has sent something.
    func hear() { heardAt = .now }

    /// Keeps what a failed call tells of the server.
    func note(_ errno: Errno, _ step: QuerySockets.Step, _ descriptor: CInt) {
        failedCalls += 1
        if step == .connect, Self.shortages.contains(errno) { shortage = errno }
        // What else the kernel says of a question that its own filter took is that filter's word (a `reject`), no router's.
        if step == .send, errno == .notPermitted { isFiltered = true }
        guard !isFiltered else {
            failure = .unsent
            return
        }
        let isAway = [.networkUnreachable, .noRouteToHost, .networkDown].contains(errno)
        // A server that takes no question by TCP, or ends that, says so by an RST.
        let isRefused =
            errno == .connectionRefused
            || [.connectionReset, .brokenPipe].contains(errno) && QuerySockets.isStream(descriptor)
        failure =
            switch step {
            // The refusal of an earlier question is told by the next call on its socket, and that may be this one.
            case _ where isRefused: QuerySockets.word(ofRefusal: descriptor)
            case .connect: isAway || [.permissionDenied, .invalidArgument].contains(errno) ? .noRoute : .unsent
            case .send: isAway ? .told : .unsent
            case .receive: .told
            }
        if failure == .heard { hear() }
    }

    /// What connect(2) says where this host has no local port (EAGAIN of a datagram, inet_autobind), or no room.
    private static let shortages: [Errno] = [
        .addressNotAvailable, .resourceTemporarilyUnavailable, .noMemory, .noBufferSpace,
    ]

    /// Binds a query's socket to the interface; false makes c-ares give the socket up, so that no query ever leaves by another.
    private func bind(_ descriptor: CInt) -> Bool {
        guard let interface else { return true }
        do throws(Errno) {
            try DeviceBinding.bind(descriptor, toDevice: interface)
            return true
        } catch {
            bindingError = .interfaceRefused(interface, error)
            return false
        }
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> AresChannel? {
        unsafe context.map { unsafe Unmanaged<AresChannel>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// What c-ares gives back with the answer to a query.
private final class Question {
    let query: Query
    /// The channel to ask once more by where the server knows no EDNS; nil where that has been done.
    private(set) weak var repeater: AresChannel?

    init(_ query: Query, repeatedBy repeater: AresChannel?) {
        self.query = query
        self.repeater = repeater
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 {
        Int64(clamping: attoseconds / 1_000_000_000_000_000)
    }
}
