import EventLoop
import NetworkAddress
import Reachability
import TestSupport
import Testing

/// A host of a test's own, with veth links to a far end, and a monitor that watches it as a user without a capability.
final class Host: Sendable {
    static let limit = Duration.seconds(20)

    let near: TestNamespace
    let far: TestNamespace
    let loop: EventLoop
    let monitor: PathMonitor
    let log = UpdateLog()

    init(_ configuration: PathMonitor.Configuration = PathMonitor.Configuration()) throws {
        near = try TestNamespace()
        far = try TestNamespace()
        loop = try EventLoop(networkNamespace: near.descriptor)
        loop.dropPrivileges()
        monitor = PathMonitor(configuration: configuration, loop: loop)
        try near.run("sysctl", "-qw", "net.ipv6.conf.default.accept_dad=0")
    }

    /// A host with uplinks, the first of which has the default route of the families.
    static func online(
        uplinks: Int = 1, families: [AddressFamily] = [.ipv4],
        _ configuration: PathMonitor.Configuration = PathMonitor.Configuration()
    ) async throws -> Host {
        let host = try Host(configuration)
        for number in 0..<uplinks { try host.addUplink(number) }
        for family in families { try host.setDefault(family, to: 0) }
        try await host.start()
        await host.wait("all uplinks are up") { path in
            (0..<uplinks).allSatisfy { path.interface("w\($0)")?.operationalState == "up" }
        }
        host.log.clear()
        return host
    }

    /// Makes the link `w0` (`w1`, …) with an address of each family, and its far end `p0`, the gateway.
    ///
    /// - Parameter index: The number of both ends. With equal numbers the kernel takes the link for hardware, and tells
    ///   a second loss of carrier late.
    func addUplink(_ number: Int, index: Int? = nil) throws {
        let index = index.map { "index \($0) " } ?? ""
        try near.ip("link add w\(number) \(index)type veth peer name p\(number) \(index)netns \(far.path)")
        try far.ip(
            """
            address add 192.0.\(number).1/24 dev p\(number)
            address add 2001:db8:\(number)::1/64 dev p\(number) nodad
            link set p\(number) up
            """)
        try bringUp(number)
    }

    func bringUp(_ number: Int) throws {
        try near.ip(
            """
            address replace 192.0.\(number).2/24 dev w\(number)
            address replace 2001:db8:\(number)::2/64 dev w\(number) nodad
            link set w\(number) up
            """)
    }

    func setDefault(_ family: AddressFamily, to number: Int, metric: Int = 0) throws {
        try near.ip("route replace default via \(gateway(family, number)) dev w\(number) metric \(metric)")
    }

    func deleteDefault(_ family: AddressFamily, of number: Int) throws {
        try near.ip("route delete default via \(gateway(family, number)) dev w\(number)")
    }

    func gateway(_ family: AddressFamily, _ number: Int) -> String {
        family == .ipv4 ? "192.0.\(number).1" : "2001:db8:\(number)::1"
    }

    // MARK: The monitor

    @discardableResult
    func start() async throws -> Path {
        let log = log
        await monitor.onUpdate { log.append($0) }
        let path = try await monitor.start()
        await settle()
        log.clear()
        return path
    }

    var path: Path { monitor.currentPath }

    /// Waits for a path that meets a condition, and for the quiet after it.
    func wait(
        _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        until condition: @escaping @Sendable (Path) -> Bool
    ) async {
        await expect(comment, sourceLocation: sourceLocation, condition)
        await settle()
    }

    /// Waits for a path that meets a condition.
    func expect(
        _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        _ condition: @escaping @Sendable (Path) -> Bool
    ) async {
        let came = await log.wait(loop, limit: Self.limit, until: condition)
        #expect(came, "\(comment ?? "the path"): \(path)", sourceLocation: sourceLocation)
    }

    func wait(
        for status: ReachabilityStatus, by interfaces: [String]? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await wait("\(status)", sourceLocation: sourceLocation) {
            $0.status == status && (interfaces == nil || $0.interfacesInUse == interfaces)
        }
    }

    /// Waits for something that no update tells of.
    func eventually(
        _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async -> Bool
    ) async {
        let end = MonotonicTime.now.advanced(by: Self.limit)
        while MonotonicTime.now < end {
            if await condition() { return }
            try? await loop.sleep(for: .milliseconds(5))
        }
        Issue.record(comment, sourceLocation: sourceLocation)
    }

    /// Waits until everything the kernel has told so far has been read and looked at, to the last confirmation.
    func settle() async {
        let end = MonotonicTime.now.advanced(by: Self.limit)
        while MonotonicTime.now < end, await !monitor.isSettled { try? await loop.sleep(for: .milliseconds(2)) }
    }
}

extension Path {
    func interface(_ name: String) -> Interface? {
        interfaces.first { $0.name == name }
    }
}
