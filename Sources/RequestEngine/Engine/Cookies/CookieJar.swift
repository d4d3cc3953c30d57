import CCurl
import Glibc
import SystemPackage

/// The cookies of a session: libcurl's engine for them, and the file they are kept in.
///
/// The file is read and written here and not by libcurl, which says nothing of a file it cannot read or write.
final class CookieJar {
    let share: ShareHandle
    /// Through it the cookies are seen while no transfer runs.
    private let keeper: EasyHandle
    private let path: FilePath?
    /// Whether what the file had is here. A file that could not be read is not overwritten.
    private var isLoaded = false
    private static let mostBytes = 16 << 20
    /// How many cookies of a domain are kept: three times as many as a server may count on (RFC 6265, section 6.1).
    private static let mostOfDomain = 150
    /// How many answers have set cookies.
    private var answerCount = 0
    /// The names of the cookies that were set since the last look, each with the number of the answer that did it last.
    private var latest: [String: Int] = [:]
    /// After how many of them the jar is looked through, which takes a walk through all of it.
    private static let answersBetweenLooks = 32

    /// A jar for the storage, with what its file holds; nil where there is to be none.
    convenience init?(_ storage: CookieStorage) throws(RequestError) {
        switch storage {
        case .none: return nil
        case .memory: try self.init(path: nil)
        case .file(let path): try self.init(path: FilePath(path))
        }
    }

    /// A jar in memory with cookies of another.
    convenience init(lines: [String]) throws(RequestError) {
        try self.init(path: nil)
        for line in lines { add(line) }
    }

    private init(path: FilePath?) throws(RequestError) {
        self.path = path
        share = try ShareHandle()
        keeper = try EasyHandle()
        try keeper.set(share: share)
        for line in try path.map(Self.lines) ?? [] { try keeper.set(CURLOPT_COOKIELIST, line) }
        isLoaded = true
    }

    deinit {
        // No caller is left to tell of a failure: one that wants to know saves before.
        try? save()
    }

    /// The cookies, each as a line of a Netscape cookie file.
    var lines: [String] { keeper.strings(CURLINFO_COOKIELIST) }

    /// The same in the order in which they were set, as far as is known: libcurl leaves one that is set anew in its place.
    private var linesByTime: [String] {
        let known = lines.enumerated().map { place, line in
            (line: line, time: (CookieLine(line).flatMap { latest[$0.name] } ?? 0, place))
        }
        return known.sorted { $0.time < $1.time }.map(\.line)
    }

    func add(_ line: String) {
        // What was in a jar can be in one.
        try? keeper.set(CURLOPT_COOKIELIST, line)
    }

    /// Removes a cookie, as servers do: by one like it whose time is over.
    func remove(_ line: String) {
        var fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 7 else { return }
        fields[4] = "1"
        add(fields.joined(separator: "\t"))
    }

    /// Learns which cookies an answer has set. libcurl takes them without end: now and then, what is too much is let go.
    func note(set names: Set<String>) {
        guard !names.isEmpty else { return }
        answerCount += 1
        for name in names { latest[name] = answerCount }
        guard answerCount.isMultiple(of: Self.answersBetweenLooks) else { return }
        let all = linesByTime
        latest = [:]
        let kept = Self.kept(all)
        guard kept.count < all.count, (try? removeAll()) != nil else { return }
        for line in kept { add(line) }
    }

    func removeAll() throws(RequestError) {
        try keeper.set(CURLOPT_COOKIELIST, "ALL")
    }

    /// Writes the file anew, whole or not at all. Only its owner may read it.
    func save() throws(RequestError) {
        guard let path, isLoaded else { return }
        let text = (["# Netscape HTTP Cookie File"] + Self.kept(linesByTime)).joined(separator: "\n") + "\n"
        let temporary = FilePath("\(path).\(UInt32.random(in: .min ... .max))")
        try Self.attempt("open", temporary) {
            let file = try FileDescriptor.open(
                temporary, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
            do {
                _ = try file.closeAfter { try file.writeAll(text.utf8) }
            } catch {
                // Each try would leave another one on a full disk.
                _ = unsafe temporary.withPlatformString { unsafe unlink($0) }
                throw error
            }
        }
        guard
            unsafe temporary.withPlatformString({ from in
                unsafe path.withPlatformString { to in unsafe rename(from, to) }
            }) == 0
        else {
            let cause = Errno(rawValue: errno)
            _ = unsafe temporary.withPlatformString { unsafe unlink($0) }
            throw RequestError(.cookieFile(path: "\(path)", call: "rename", cause))
        }
    }

    /// What is kept of cookies, in memory and in a file: no server may fill one so that it cannot be read again. Of a
    /// domain's the latest are kept.
    private static func kept(_ lines: [String]) -> [String] {
        var counts: [Substring: Int] = [:]
        var room = mostBytes - 1024
        let latest = lines.reversed().filter { line in
            let domain = line.prefix { $0 != "\t" }
            counts[domain, default: 0] += 1
            guard counts[domain, default: 0] <= mostOfDomain, line.utf8.count < room else { return false }
            room -= line.utf8.count + 1
            return true
        }
        return latest.reversed()
    }

    /// The lines of the file that are cookies: `#HttpOnly_` begins one, any other `#` a comment.
    private static func lines(of path: FilePath) throws(RequestError) -> [String] {
        guard unsafe path.withPlatformString({ unsafe access($0, F_OK) }) == 0 || errno != ENOENT else { return [] }
        let bytes: [UInt8]
        do throws(SecurityError) {
            bytes = try FileContents.read(path.string, limit: mostBytes - 1)
        } catch {
            throw RequestError(.cookieFile(path: "\(path)", call: "read", error.readErrno))
        }
        return bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map { String(decoding: $0, as: UTF8.self) }
            .filter { $0.hasPrefix("#HttpOnly_") || !$0.hasPrefix("#") }
    }

    private static func attempt<Value>(
        _ call: String, _ path: FilePath, _ body: () throws -> Value
    ) throws(RequestError) -> Value {
        do {
            return try body()
        } catch {
            let errno = error as? Errno ?? .ioError
            throw RequestError(.cookieFile(path: "\(path)", call: call, errno))
        }
    }
}
