internal import FoundationEssentials
internal import Glibc
public import RequestEngine
public import SystemPackage

/// Keeps answers in the files of a folder, up to a total size, so that they outlive the process.
///
/// A file is written beside and renamed into its place, so that it is whole or not there. One that is damaged all the
/// same is deleted and counted; one that cannot be read for now, such as for lack of descriptors, stays. What cannot be
/// written is not kept: a cache that fails does not fail requests.
public actor DiskCache: CacheStorage {
    /// Why a cache could not be opened.
    public struct Unusable: Error, Hashable, CustomStringConvertible {
        public let path: String
        public let errno: Errno

        public var description: String { "the cache folder \(path) cannot be used: \(errno)" }
    }

    public nonisolated let path: String
    /// The most bytes of one file; a longer answer is not kept.
    public nonisolated let maximumFileSize: Int
    /// How many damaged files were found and deleted.
    public private(set) var corruptedCount = 0
    /// How many answers could not be written.
    public private(set) var failedWriteCount = 0
    /// The files by their names, and what each costs.
    private var index: CostCache<String, Int>
    /// The files of each URL, those written last at the end.
    private var names: [String: [String]] = [:]
    private var temporaryNumber = 0

    /// Opens a folder, which is made if it is not there.
    ///
    /// - Parameters:
    ///   - path: The folder. Nothing else may be kept in it.
    ///   - capacity: The most bytes of all files together.
    ///   - maximumFileSize: The most bytes of one file; nil for a tenth of the capacity.
    public init(path: String, capacity: Int = 150 << 20, maximumFileSize: Int? = nil) throws(Unusable) {
        self.path = path
        self.maximumFileSize = maximumFileSize ?? capacity / 10
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST, unsafe access(path, R_OK | W_OK | X_OK) == 0 else {
            throw Unusable(path: path, errno: Errno(rawValue: errno))
        }
        (index, names) = try Self.scan(path, capacity)
    }

    /// The bytes of all files now.
    public var usage: Int { index.usage }

    // MARK: CacheStorage

    public func responses(for url: String) async -> [StoredResponse] {
        names[Self.prefix(url), default: []].compactMap(read).filter { $0.url == url }
    }

    public func store(_ response: StoredResponse) async {
        let name = Self.name(response)
        // The answer in whose place it would be is outdated, whether this one can be kept or not.
        guard let bytes = CacheFile.encode(response), bytes.count <= maximumFileSize else { return drop(name) }
        guard write(bytes, name) else {
            failedWriteCount += 1
            return drop(name)
        }
        note(name)
        for dropped in index.insert(bytes.count, for: name, cost: bytes.count) { delete(dropped) }
    }

    /// Notes a file that has been written, and drops those of its URL that are too many.
    private func note(_ name: String) {
        let prefix = String(name.prefix(Self.prefixLength))
        let others = names[prefix, default: []].filter { $0 != name }
        names[prefix] = others + [name]
        for excess in others.dropLast(StoredResponse.mostVariants - 1) { drop(excess) }
    }

    public func remove(url: String) async {
        for name in names[Self.prefix(url), default: []] { drop(name) }
    }

    public func removeAll() async {
        for name in names.values.joined() { drop(name) }
    }

    // MARK: Files

    private func read(_ name: String) -> StoredResponse? {
        guard index.value(for: name) != nil else { return nil }
        let bytes: [UInt8]
        do throws(SecurityError) { bytes = try FileContents.read("\(path)/\(name)", limit: maximumFileSize) } catch {
            noteUnread(name, error.readErrno)
            return nil
        }
        guard let response = CacheFile.decode(bytes) else {
            dropDamaged(name)
            return nil
        }
        // The order of use outlives the process in the times of the files.
        unsafe utimensat(AT_FDCWD, "\(path)/\(name)", nil, 0)
        return response
    }

    private func noteUnread(_ name: String, _ cause: Errno) {
        switch cause {
        // Another process has dropped it, which is no damage.
        case .noSuchFileOrDirectory: drop(name)
        case .fileTooLarge, .isDirectory, RegularFile.refusal: dropDamaged(name)
        // Such as the lack of descriptors or memory, which says nothing of the file.
        default: break
        }
    }

    private func dropDamaged(_ name: String) {
        corruptedCount += 1
        drop(name)
    }

    private func write(_ bytes: [UInt8], _ name: String) -> Bool {
        temporaryNumber += 1
        let temporary = "\(path)/.\(getpid())-\(temporaryNumber).part"
        do {
            let file = try RegularFile.open(
                FilePath(temporary), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
            try file.closeAfter { _ = try file.writeAll(bytes) }
            if unsafe rename(temporary, "\(path)/\(name)") == 0 { return true }
        } catch {}
        unsafe unlink(temporary)
        return false
    }

    private func drop(_ name: String) {
        index.remove(name)
        delete(name)
    }

    private func delete(_ name: String) {
        unsafe unlink("\(path)/\(name)")
        let prefix = String(name.prefix(Self.prefixLength))
        names[prefix]?.removeAll { $0 == name }
        if names[prefix]?.isEmpty == true { names[prefix] = nil }
    }

    // MARK: Names

    private static let prefixLength = 64
    private static let nameLength = 64 + 1 + 16

    private static func prefix(_ url: String) -> String { SHA256Digest(of: Array(url.utf8)).description }

    private static func name(_ response: StoredResponse) -> String {
        let variant = response.variant.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value ?? "\n")" }
        let digest = SHA256Digest(of: Array(variant.joined(separator: "\n").utf8)).description
        return "\(prefix(response.url))-\(digest.prefix(16))"
    }

    /// What is in the folder, the files that were used longest ago first. Left-overs of writes are deleted.
    private static func scan(
        _ path: String, _ capacity: Int
    ) throws(Unusable) -> (CostCache<String, Int>, [String: [String]]) {
        var index = CostCache<String, Int>(capacity: capacity, usageAfterPurge: capacity / 10 * 9)
        var names: [String: [String]] = [:]
        for (name, size) in try files(path) {
            names[String(name.prefix(prefixLength)), default: []].append(name)
            for dropped in index.insert(size, for: name, cost: size) {
                unsafe unlink("\(path)/\(dropped)")
                names[String(dropped.prefix(prefixLength))]?.removeAll { $0 == dropped }
            }
        }
        return (index, names)
    }

    private static func files(_ path: String) throws(Unusable) -> [(name: String, size: Int)] {
        let opened: FolderNames
        do throws(Errno) { opened = try FolderNames(path) } catch { throw Unusable(path: path, errno: error) }
        var folder = opened
        var files: [(name: String, size: Int, time: timespec)] = []
        while let name = folder.next() {
            var status = stat()
            guard unsafe lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            if name.hasSuffix(".part") {
                unsafe unlink("\(path)/\(name)")
            } else if name.utf8.count == nameLength {
                files.append((name, Int(status.st_size), status.st_mtim))
            }
        }
        return files.sorted { ($0.time.tv_sec, $0.time.tv_nsec) < ($1.time.tv_sec, $1.time.tv_nsec) }
            .map { ($0.name, $0.size) }
    }
}
