internal import CLinux
internal import Glibc
internal import SystemPackage

/// Tells which files of some folders have changed (inotify(7)). The folders may not be there yet: of one that is absent
/// the nearest above it that exists is watched, until it comes.
///
/// It closes its descriptor when it goes.
struct FolderWatch: ~Copyable {
    enum Change: Hashable {
        /// A file of that name was written, came, or went.
        case file(folder: String, name: String)
        /// The folder came or went, or news of it was lost: anything in it may have changed.
        case folder(String)
    }

    private struct Place {
        /// The folder, where it is one of those asked for.
        var folder: String?
        /// What is asked for further down, and the name here that leads to it.
        var awaited: [(name: String, folder: String)] = []
    }

    /// Readable when there is something to ``drain()``.
    let descriptor: CInt
    private let folders: [String]
    private var places: [CInt: Place] = [:]

    private static let inFolder =
        IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
    private static let above = IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF

    /// Throws where the user has no inotify instance left (`fs.inotify.max_user_instances`).
    init(_ folders: [String]) throws(Errno) {
        descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        self.folders = folders
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        arm()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    // MARK: Watching

    /// Watches what there is now, and returns the folders that were not watched until now.
    @discardableResult
    private mutating func arm() -> [String] {
        let old = places
        places = [:]
        folders.forEach { arm($0) }
        for unused in old.keys where places[unused] == nil { inotify_rm_watch(descriptor, unused) }
        return places.filter { $0.value.folder != nil && $0.value.folder != old[$0.key]?.folder }.compactMap(
            \.value.folder)
    }

    /// Watches a folder, or what is there of the way to it. What comes while this looks is looked for again.
    private mutating func arm(_ folder: String) {
        let path = FilePath(folder)
        for _ in 0...path.components.count {
            var existing = path
            var missing: String?
            var watch = add(existing, Self.inFolder)
            while watch < 0, let last = existing.lastComponent {
                missing = last.string
                existing.removeLastComponent()
                watch = add(existing, Self.above)
            }
            guard watch >= 0 else { return }
            guard let missing else {
                places[watch, default: Place()].folder = folder
                return
            }
            guard access(existing.appending(missing).string, F_OK) == 0 else {
                places[watch, default: Place()].awaited.append((missing, folder))
                return
            }
        }
    }

    /// A folder may be one of those asked for and lead to another: neither's events replace the other's.
    private func add(_ path: FilePath, _ events: some BinaryInteger) -> CInt {
        inotify_add_watch(descriptor, path.string, UInt32(events) | UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD))
    }

    // MARK: Reading

    /// What has changed since the last call, each once.
    mutating func drain() -> Set<Change> {
        var changes: Set<Change> = []
        var moved = false
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            buffer.withUnsafeBytes { bytes in
                for event in InotifyEvents(bytes: UnsafeRawBufferPointer(rebasing: bytes[..<count])) {
                    moved = take(event, into: &changes) || moved
                }
            }
        }
        if moved { changes.formUnion(arm().map { .folder($0) }) }
        return changes
    }

    /// Tells whether what is to be watched is another now.
    private func take(_ event: InotifyEvents.Element, into changes: inout Set<Change>) -> Bool {
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
            changes.formUnion(folders.map { .folder($0) })
            return true
        }
        guard let place = places[event.watch] else { return false }
        if event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) != 0 {
            if let folder = place.folder { changes.insert(.folder(folder)) }
            return true
        }
        if let folder = place.folder, !event.name.isEmpty { changes.insert(.file(folder: folder, name: event.name)) }
        return place.awaited.contains { $0.name == event.name }
    }
}

/// The events in what was read from an inotify descriptor.
private struct InotifyEvents: Sequence, IteratorProtocol {
    let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    mutating func next() -> (watch: CInt, mask: UInt32, name: String)? {
        let header = MemoryLayout<inotify_event>.size
        guard offset + header <= bytes.count else { return nil }
        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let end = offset + header + Int(event.len)
        guard end <= bytes.count else { return nil }
        defer { offset = end }
        let name = bytes[(offset + header)..<end].prefix { $0 != 0 }
        return (event.wd, event.mask, String(decoding: name, as: UTF8.self))
    }
}
