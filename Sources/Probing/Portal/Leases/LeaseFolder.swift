internal import Glibc
internal import RequestEngine

/// Where a program that asks DHCP servers keeps what they answered.
///
/// NetworkManager's own client and busybox's udhcpc are missing: they keep nothing of option 114.
package struct LeaseFolder: Hashable {
    enum Keeper {
        /// systemd-networkd from version 254 on: `INDEX`, the state of a link.
        case networkd
        /// isc-dhcp-client: `dhclient.leases` or `dhclient.INTERFACE.leases`. It asks for option 114 where its
        /// configuration says `also request default-url;`.
        case dhclient
        /// dhcpcd: `INTERFACE.lease` or `INTERFACE-SSID.lease`, and `.lease6` for DHCPv6, which only root may read. Version 9 asks for option 114
        /// where its configuration defines and names it.
        case dhcpcd
    }

    let path: String
    let keeper: Keeper

    /// Those of Debian, and dhclient's of the Fedora family.
    package static let system = [
        LeaseFolder(path: "/run/systemd/netif/links", keeper: .networkd),
        LeaseFolder(path: "/var/lib/dhcp", keeper: .dhclient),
        LeaseFolder(path: "/var/lib/dhclient", keeper: .dhclient),
        LeaseFolder(path: "/var/lib/dhcpcd", keeper: .dhcpcd),
    ]

    /// Whether the keeper's files are called so.
    func keeps(_ name: String) -> Bool {
        switch keeper {
        case .networkd: UInt32(name) != nil
        case .dhclient: name.hasPrefix("dhclient") && name.hasSuffix(".leases")
        case .dhcpcd: name.hasSuffix(".lease") || name.hasSuffix(".lease6")
        }
    }

    /// The names of the keeper's files, up to a limit that no host comes near.
    var names: [String] {
        guard var folder = try? FolderNames(path) else { return [] }
        var names: [String] = []
        while names.count < 10_000, let name = folder.next() {
            if keeps(name) { names.append(name) }
        }
        return names
    }

    func contains(_ name: String) -> Bool {
        unsafe access("\(path)/\(name)", F_OK) == 0
    }

    /// What a file says; nil where it is not there, or says nothing at all, as one that is being written.
    func read(_ name: String) -> LeaseFile? {
        guard let file = FileTail(path: "\(path)/\(name)"), !file.bytes.isEmpty else { return nil }
        switch keeper {
        case .networkd:
            let state = LinkState(String(decoding: file.bytes, as: UTF8.self))
            return UInt32(name).map { LeaseFile(modified: file.modified, content: .link($0, api: state.captivePortal)) }
        case .dhclient:
            let leases = Lease.ofDHClient(file.bytes)
            return leases.isEmpty ? nil : LeaseFile(modified: file.modified, content: .leases(leases))
        case .dhcpcd:
            let isIPv6 = name.hasSuffix("6")
            let lease = isIPv6 ? Lease.ofDHCPCD6(file.bytes, file: name) : Lease.ofDHCPCD(file.bytes, file: name)
            return lease.map {
                LeaseFile(modified: file.modified, content: .leases([$0]))
            }
        }
    }
}

/// What one of the files says.
struct LeaseFile {
    enum Content {
        case link(UInt32, api: String?)
        case leases([Lease])
    }

    /// Nanoseconds since 1970.
    let modified: Int64
    let content: Content

    var leases: [Lease] {
        switch content {
        case .link: []
        case .leases(let leases): leases
        }
    }
}

/// The end of a regular file: of a log, what counts is there.
private struct FileTail {
    let bytes: [UInt8]
    let modified: Int64

    private static let limit = 256 << 10

    init?(path: String) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        let length = min(Int(status.st_size), Self.limit)
        let start = Int(status.st_size) - length
        bytes = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            while count < length {
                let more = unsafe pread(
                    descriptor, buffer.baseAddress.map { unsafe $0 + count }, length - count, start + count)
                guard more > 0 else { break }
                count += more
            }
        }
    }
}
