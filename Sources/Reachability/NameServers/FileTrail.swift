import CLinux
import Glibc

/// The folders on the way to a file, hop by hop over symbolic links, and the file; and what has to be told of each.
///
/// The way ends at the file or at what is not there yet. It changes when a link on it is replaced, when what is missing
/// comes, and when a folder on it is renamed or removed. The file is watched beside its folder because another may be
/// mounted over it, as in containers: the folder is told nothing of what is written to that one.
struct FileTrail {
    /// What the kernel is to tell of each folder and file, by its path without links (`IN_*` of `inotify(7)`).
    private(set) var places: [String: UInt32] = [:]

    /// As many links as the kernel follows in a path (`path_resolution(7)`).
    private static let linkLimit = 40
    /// The folder itself goes away.
    private static let own = UInt32(IN_ONLYDIR) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
    /// Something in it comes, goes or is replaced.
    private static let entries =
        UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM)
    /// The file in it is written.
    private static let content = UInt32(IN_CLOSE_WRITE)

    init(_ paths: [String]) {
        for path in paths { follow(path) }
    }

    private mutating func follow(_ path: String) {
        var folder = path.hasPrefix("/") ? "" : Self.currentFolder
        var rest = Self.components(path)
        var links = 0
        watch(folder, Self.own)
        while let name = rest.popLast() {
            if name == ".." {
                folder = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
                continue
            }
            let place = "\(folder)/\(name)"
            if let target = Self.target(of: place) {
                watch(folder, Self.entries)
                links += 1
                guard links <= Self.linkLimit else { return }
                if target.hasPrefix("/") { folder = "" }
                rest += Self.components(target)
            } else if rest.isEmpty {
                watch(folder, Self.entries | Self.content)
                places[place, default: 0] |= Self.content
            } else if TextFile.exists(place) {
                folder = place
                watch(folder, Self.own)
            } else {
                return watch(folder, Self.entries)
            }
        }
    }

    private mutating func watch(_ folder: String, _ events: UInt32) {
        places[folder.isEmpty ? "/" : folder, default: 0] |= Self.own | events
    }

    /// The names in a path, the last one first.
    private static func components(_ path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.map(String.init).reversed()
    }

    /// Where a symbolic link leads to; nil where it is none.
    private static func target(of path: String) -> String? {
        let target = unsafe [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            count = unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                unsafe text.baseAddress.map { unsafe max(0, readlink(path, $0, text.count)) } ?? 0
            }
        }
        return target.isEmpty ? nil : String(decoding: target, as: UTF8.self)
    }

    private static var currentFolder: String {
        guard let path = unsafe getcwd(nil, 0) else { return "" }
        defer { unsafe free(path) }
        let folder = unsafe String(cString: path)
        return folder == "/" ? "" : folder
    }
}
