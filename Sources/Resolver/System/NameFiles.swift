/// The files by which this host looks names up.
package struct NameFiles: Sendable {
    private var hostNames: HostsFile
    private var resolverFile: ParsedFile<SystemResolver>
    private var servicesFile: ParsedFile<NameServices>
    private var resolvedFile: ParsedFile<SystemResolver>

    package init(
        hosts: String = "/etc/hosts", resolver: String = "/etc/resolv.conf", services: String = "/etc/nsswitch.conf",
        resolved: String = "/run/systemd/resolve/resolv.conf"
    ) {
        hostNames = HostsFile(path: hosts)
        resolverFile = ParsedFile(resolver, absent: .standard) { SystemResolver(String(decoding: $0, as: UTF8.self)) }
        servicesFile = ParsedFile(services, absent: .standard) { NameServices(String(decoding: $0, as: UTF8.self)) }
        resolvedFile = ParsedFile(resolved, absent: .standard) { SystemResolver(String(decoding: $0, as: UTF8.self)) }
    }

    package var hosts: HostsFile {
        get { hostNames }
        _modify { yield &hostNames }
    }

    /// The name servers to ask, as they stand there now.
    package mutating func resolver() -> SystemResolver { resolverFile.read() }

    package mutating func services() -> NameServices { servicesFile.read() }

    /// The name servers that systemd-resolved asks in its turn.
    package mutating func resolved() -> SystemResolver { resolvedFile.read() }
}
