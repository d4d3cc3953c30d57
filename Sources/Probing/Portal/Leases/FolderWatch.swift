internal import CLinux
internal import Glibc
internal import NetworkAddress
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
            guard unsafe access(existing.appending(missing).string, F_OK) == 0 else {
                places[watch, default: Place()].awaited.append((missing, folder))
                return
            }
        }
    }

    /// A folder may be one of those asked for and lead to another: neither's events replace the other's.
    private func add(_ path: FilePath, _ events: some BinaryInteger) -> CInt {
        unsafe inotify_add_watch(descriptor, path.string, UInt32(events) | UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD))
    }

    // MARK: Reading

    /// What has changed since the last call, each once.
    mutating func drain() -> Set<Change> {
        var changes: Set<Change> = []
        var moved = false
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            InotifyEvent.forEach(in: buffer.span.extracting(first: count)) { event in
                moved = take(event, into: &changes) || moved
            }
        }
        if moved { changes.formUnion(arm().map { .folder($0) }) }
        return changes
    }

    /// Tells whether what is to be watched is another now.
    private func take(_ event: InotifyEvent, into changes: inout Set<Change>) -> Bool {
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

/// What an inotify descriptor tells of a file.
private struct InotifyEvent {
    let watch: CInt
    let mask: UInt32
    let name: String

    /// `struct inotify_event` (inotify(7)), without the name behind it.
    private struct Header: BitwiseCopyable {
        var watch: CInt
        var mask: UInt32
        var cookie: UInt32
        var length: UInt32
    }

    /// Hands over the events in what was read, as far as they are whole.
    static func forEach(in bytes: Span<UInt8>, _ body: (InotifyEvent) -> Void) {
        var rest = bytes
        while rest.count >= MemoryLayout<Header>.size {
            let header = rest.load(Header.self)
            rest = rest.extracting(droppingFirst: MemoryLayout<Header>.size)
            guard header.length <= rest.count else { return }
            let name = String(decodingToZero: rest.extracting(first: Int(header.length)))
            body(InotifyEvent(watch: header.watch, mask: header.mask, name: name))
            rest = rest.extracting(droppingFirst: Int(header.length))
        }
    }
}
