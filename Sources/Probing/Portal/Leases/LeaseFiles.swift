internal import NetworkAddress
internal import Reachability
internal import SystemPackage

/// What the DHCP clients of this host have kept, read when they write it.
struct LeaseFiles: ~Copyable {
    private struct Key: Hashable {
        let folder: String
        let name: String
    }

    private let folders: [LeaseFolder]
    private var watch: FolderWatch
    private var files: [Key: LeaseFile] = [:]
    /// What they come to: of links, by their index, and of leases, the newest first. Empty where none names an API.
    private var links: [UInt32: String] = [:]
    private var leases: [Lease] = []

    /// Readable when there is something to ``update()``.
    var descriptor: CInt { watch.descriptor }

    init(_ folders: [LeaseFolder]) throws(Errno) {
        self.folders = folders
        watch = try FolderWatch(folders.map(\.path))
        folders.forEach { readAll($0) }
        summarize()
    }

    /// Reads what has changed.
    mutating func update() {
        for change in watch.drain() {
            switch change {
            case .file(let path, let name):
                guard let folder = folder(path), folder.keeps(name) else { continue }
                read(name, in: folder)
            case .folder(let path):
                files = files.filter { $0.key.folder != path }
                if let folder = folder(path) { readAll(folder) }
            }
        }
        summarize()
    }

    private mutating func summarize() {
        links = [:]
        for case .link(let index, let api) in files.values.map(\.content) { links[index] = api }
        leases = files.values.sorted { $0.modified > $1.modified }.flatMap(\.leases)
        if leases.allSatisfy({ $0.api == nil }) { leases = [] }
    }

    private func folder(_ path: String) -> LeaseFolder? {
        folders.first { $0.path == path }
    }

    private mutating func readAll(_ folder: LeaseFolder) {
        for name in folder.names { read(name, in: folder) }
    }

    /// A file that says nothing is being written, and what it said stays; one that is gone says nothing.
    private mutating func read(_ name: String, in folder: LeaseFolder) {
        let key = Key(folder: folder.path, name: name)
        if let file = folder.read(name) {
            files[key] = file
        } else if !folder.contains(name) {
            files[key] = nil
        }
    }

    // MARK: What they say

    /// The address of the portal API that the network of each interface gave with its lease, by the interface's index.
    ///
    /// Clients keep what they were given long after they have left a network: a lease counts while the interface has a
    /// carrier and the address that was leased.
    func apis(on path: Path) -> [UInt32: String] {
        guard !links.isEmpty || !leases.isEmpty else { return [:] }
        var apis: [UInt32: String] = [:]
        for interface in path.interfaces where interface.hasCarrier {
            // The newest lease of each family; where both name one, always the same family's.
            let ofLeases = [AddressFamily.ipv4, .ipv6].compactMap { family in
                leases.first { $0.address.family == family && $0.isOf(interface) }?.api
            }
            apis[interface.index] = links[interface.index] ?? ofLeases.first
        }
        return apis
    }
}

extension Lease {
    /// Whether it is what an interface lives by now.
    fileprivate func isOf(_ link: Interface) -> Bool {
        let isNamed = interface == link.name || interface.hasPrefix(link.name + "-")
        return isNamed && link.addresses.contains { $0.address == address }
    }
}
