import CLinux
import Glibc
import RequestEngine
import Synchronization
import SystemPackage

/// The file that a download is written to before it is whole. It stays the same over redirects and retries.
final class PartialFile: Sendable {
    struct State {
        var path: FilePath?
        var destination: FilePath?
        var descriptor: FileDescriptor?
        var offset: Int64 = 0
        var validator: String?
        var total: Int64?
        let keepsPartialFile: Bool
        /// What the answer is asked to go on with; nil where the whole is asked for.
        var expected: ResumeData?
        /// Which part the present answer is; nil for the whole.
        var range: ContentRange?
        var isInPlace = false

        /// Whether nothing is known to be missing.
        var isWhole: Bool { range.map { $0.total == offset } ?? true }
    }

    /// More than a block of most file systems: what says where to go on takes one.
    private static let roomForNote: Int64 = 64 << 10

    let download: Download
    private let state: Mutex<State>

    init(_ download: Download) {
        self.download = download
        state = Mutex(State(keepsPartialFile: download.keepsPartialFile))
    }

    var offset: Int64 { state.withLock { $0.offset } }
    /// Where the file is; nil before it is there.
    var savedPath: FilePath? { state.withLock { $0.isInPlace ? $0.destination : nil } }

    /// Whether a part can be taken for an answer.
    var takesPart: Bool { isForPart || state.withLock { $0.expected != nil } }

    /// Whether the caller has asked for a part, which is then what the file is to hold.
    private var isForPart: Bool { download.request.headers.contains(name: "Range") }

    /// What is missing of a file that has come in part, by any answer; nil where nothing is, or it is not known.
    var rest: ResumeData? {
        state.withLock { $0.expected == nil && isForPart ? nil : rest(of: $0) }
    }

    private func rest(of state: State) -> ResumeData? {
        guard let path = state.path, let validator = state.validator, state.offset > 0 else { return nil }
        return ResumeData(
            url: download.request.url, partialFile: "\(path)", offset: state.offset, validator: validator,
            total: state.total)
    }

    /// Learns what the next answer is to go on with, or that it is to be the whole.
    func expect(_ rest: ResumeData?) {
        state.withLock { $0.expected = rest }
    }

    // MARK: Writing

    /// Opens the file for an answer: anew, or at the end of what has come where the answer is the rest of it.
    func begin(_ head: ResponseHead) throws(RequestError) {
        let expected = state.withLock { $0.expected }
        if let expected, head.statusCode == 206 {
            if let problem = expected.mismatch(head) { throw RequestError(.unresumable(problem)) }
            // The header of a part may lack what the destination was chosen by (RFC 9110 section 15.3.7).
            let chosen = state.withLock { $0.destination }
            let destination = if let chosen { chosen } else { try chooseDestination(head) }
            try resume(expected, beside: destination)
            state.withLock { $0.goOn(to: destination, head, expected) }
        } else {
            let destination = try chooseDestination(head)
            try create(beside: destination)
            state.withLock { $0.begin(to: destination, head) }
        }
    }

    func write(_ bytes: [UInt8]) throws(RequestError) {
        guard let (descriptor, path) = state.withLock({ state in state.descriptor.map { ($0, state.path) } }) else {
            return
        }
        if let range = state.withLock({ $0.range }), Int64(bytes.count) > range.last + 1 - offset {
            throw RequestError(.unresumable("the server sends more than the range that it names"))
        }
        _ = try attempt("write", path) { try descriptor.writeAll(bytes) }
        let count = Int64(bytes.count)
        let end = state.withLock { state in
            state.offset += count
            return state.offset
        }
        // The disk begins at once, so that little is left to wait for at the end.
        _ = netwatch_start_writeback(descriptor.rawValue, end - count, count)
    }

    /// Puts the file where it belongs, once it is whole. Waits for the disk.
    func finish() throws(RequestError) {
        let (isWhole, path, destination) = state.withLock { ($0.isWhole, $0.path, $0.destination) }
        guard isWhole, let path, let destination else { return close() }
        let descriptor = try takeDescriptor(path)
        // There is no rest to ask for, also where the whole file finds no place.
        state.withLock { $0.validator = nil }
        try checkLength(of: descriptor, path)
        try FilePlacement(descriptor, at: path, to: destination, replacesFile: download.replacesFile).carryOut()
        state.withLock { state in
            state.path = nil
            state.isInPlace = true
        }
    }

    /// Another process that has written into the file has spoilt it.
    private func checkLength(of descriptor: FileDescriptor, _ path: FilePath) throws(RequestError) {
        let size = try attempt("seek", path) { try descriptor.seek(offset: 0, from: .end) }
        guard size == offset else {
            try? descriptor.close()
            throw RequestError(.undeliverable("\(path) has \(size) bytes in place of \(offset)"))
        }
    }

    /// The file that is open, or the file again where it was closed since.
    private func takeDescriptor(_ path: FilePath) throws(RequestError) -> FileDescriptor {
        if let descriptor = state.withLock({ $0.descriptor.take() }) { return descriptor }
        return try attempt("open", path) { try RegularFile.open(path, .writeOnly, options: .noFollow) }
    }

    /// Puts the file where it belongs if an answer says that nothing is left of it (status 416); false where that cannot be
    /// told.
    func finish(after response: Response) throws(RequestError) -> Bool {
        let head = ResponseHead(response)
        let total = head.headers["Content-Range"].flatMap(ContentRange.total(ofUnsatisfied:))
        let isAll = state.withLock { state in
            guard let expected = state.expected, state.range != nil, total == state.offset,
                head.agrees(with: expected.validator)
            else { return false }
            state.range = nil
            return true
        }
        if isAll { try finish() }
        return isAll
    }

    /// Learns how an answer has failed. One that has not come to the file leaves it as it was, whatever the reason.
    func close(after reason: RequestError.Reason) {
        if reason.isFullDisk { makeRoom() }
        state.withLock { state in
            if state.descriptor != nil, !reason.leavesResumable { state.validator = nil }
        }
        close()
    }

    /// Gives up: removes what has come, or says how to go on with it.
    func fail() -> ResumeData? {
        close()
        let left = state.withLock { state in
            defer { state.path = nil }
            return state
        }
        // Nothing of any answer was written: what an earlier try has left is as it was.
        guard let path = left.path else { return download.resumeData }
        let resumeData = left.keepsPartialFile ? rest(of: left) : nil
        if resumeData == nil { remove(path) }
        return resumeData
    }

    /// Cuts off what a full disk still took of a piece, which is not counted, and a little more: what tells a later try
    /// where to go on has to find room, too.
    private func makeRoom() {
        state.withLock { state in
            guard state.keepsPartialFile, let descriptor = state.descriptor else { return }
            let end = max(state.offset - Self.roomForNote, 0)
            if (try? descriptor.resize(to: end)) != nil { state.offset = end }
        }
    }

    // MARK: Opening

    private func chooseDestination(_ head: ResponseHead) throws(RequestError) -> FilePath {
        do {
            return try download.destination(head)
        } catch {
            throw RequestError(.noDestination("\(error)"))
        }
    }

    /// Goes on where the file ends.
    private func resume(_ resumeData: ResumeData, beside destination: FilePath) throws(RequestError) {
        guard let path = PartName.path(of: resumeData, beside: destination) else {
            throw RequestError(.unresumable("\(resumeData.partialFile) is no part of a download to \(destination)"))
        }
        var status = stat()
        guard unsafe path.withPlatformString({ unsafe lstat($0, &status) }) == 0 || errno != ENOENT else {
            throw RequestError(.unresumable("\(path) is gone"))
        }
        // What a download makes has this one name. Anything else is a way to another file, which would be written to.
        guard status.st_mode & S_IFMT != S_IFLNK, status.st_nlink <= 1 else {
            throw RequestError(.unresumable("\(path) is another file's name, too"))
        }
        let descriptor = try attempt("open", path) {
            try RegularFile.open(path, .writeOnly, options: [.append, .noFollow])
        }
        let size = try attempt("seek", path) { try descriptor.seek(offset: 0, from: .end) }
        guard size == resumeData.offset else {
            try? descriptor.close()
            throw RequestError(.unresumable("\(path) has \(size) bytes in place of \(resumeData.offset)"))
        }
        take(descriptor, path, offset: size)
    }

    private func create(beside destination: FilePath) throws(RequestError) {
        if download.replacesFile {
            try attempt("rename", destination) { try RegularFile.checkReplaceable(destination) }
        }
        let folder = destination.removingLastComponent()
        if download.createsFolders { try createFolders(folder) }
        let path = folder.appending(PartName.random(for: destination))
        let descriptor = try attempt("open", path) {
            try FileDescriptor.open(
                path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        }
        let before = state.withLock { $0.path }
        take(descriptor, path, offset: 0)
        // Not before: where this file cannot be made, what an earlier try has left is still there to go on with.
        let earlier = download.resumeData.flatMap { PartName.path(of: $0, beside: destination) }
        for old in [before, earlier].compactMap(\.self) where old != path { remove(old) }
    }

    private func take(_ descriptor: FileDescriptor, _ path: FilePath, offset: Int64) {
        close()
        state.withLock { state in
            state.descriptor = descriptor
            state.path = path
            state.offset = offset
        }
    }

    private func createFolders(_ folder: FilePath) throws(RequestError) {
        var path = FilePath(root: folder.root)
        for component in folder.components {
            path.append(component)
            let result = unsafe path.withPlatformString { unsafe mkdir($0, 0o777) }
            guard result == 0 || errno == EEXIST else {
                throw RequestError(.fileUnwritable(path: "\(path)", call: "mkdir", Errno(rawValue: errno)))
            }
        }
    }

    private func close() {
        let descriptor = state.withLock { $0.descriptor.take() }
        try? descriptor?.close()
    }

    private func remove(_ path: FilePath) {
        _ = unsafe path.withPlatformString { unsafe unlink($0) }
    }

    private func attempt<Value>(
        _ call: String, _ path: FilePath?, _ body: () throws -> Value
    ) throws(RequestError) -> Value {
        do {
            return try body()
        } catch {
            let errno = error as? Errno ?? .ioError
            throw RequestError(.fileUnwritable(path: path.map { "\($0)" } ?? "", call: call, errno))
        }
    }
}

extension RequestError.Reason {
    /// Whether what came before an answer ended so is worth keeping.
    fileprivate var leavesResumable: Bool {
        switch self {
        // In place of what is no rest of the file the whole is asked for, which may fail as well.
        case .connectionLost, .timedOut, .cancelled, .unresumable: true
        default: isFullDisk
        }
    }

    /// Whether there was no room for what came, of which the beginning is as good as before.
    fileprivate var isFullDisk: Bool {
        guard case .fileUnwritable(_, call: "write", let errno) = self else { return false }
        return errno == .noSpace || errno == .diskQuotaExceeded
    }
}

extension PartialFile.State {
    fileprivate mutating func begin(to destination: FilePath, _ head: ResponseHead) {
        self.destination = destination
        range = nil
        // Of a part that the caller has asked for, the rest is not the file's.
        let isWhole = head.statusCode != 206
        validator = isWhole ? head.validator : nil
        total = isWhole ? head.contentLength : nil
    }

    fileprivate mutating func goOn(to destination: FilePath, _ head: ResponseHead, _ expected: ResumeData) {
        self.destination = destination
        range = head.contentRange
        validator = expected.validator
        total = head.contentRange?.total ?? expected.total
    }
}
