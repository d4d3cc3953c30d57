public import RequestEngine
public import SystemPackage

/// What is to be fetched into a file, and where to.
///
/// The bytes are written beside the destination and moved there by `rename(2)` once all have come, so that the
/// destination is either whole or untouched. Compression is not asked for: what is written is what the server holds.
public struct Download: Sendable {
    public var request: Request
    /// Where the file is to be, chosen once the answer's header is known. Called on the loop's thread.
    public var destination: @Sendable (ResponseHead) throws -> FilePath
    /// Whether folders on the way to the destination are made where they are missing.
    public var createsFolders = false
    /// Whether a file at the destination is replaced. Otherwise it is an error, and the file is left as it is.
    public var replacesFile = false
    /// Whether what came of a download that fails is kept, so that it can be resumed (``RequestError/resumeData``).
    /// Without a validator from the server (a strong `ETag`, or `Last-Modified`) nothing is kept.
    public var keepsPartialFile = false
    /// What an earlier try has left, to the same folder. Where the server has another version by now, or no such rest, or the
    /// data name another file than such a part, which is left alone then, the file is fetched from the beginning; what it sends in parts is put together.
    public var resumeData: ResumeData?
    /// Whether the file is fetched from the beginning all the same: what an earlier try has left is removed once something of
    /// this one has come, and stays where nothing does.
    public var beginsAnew = false

    public init(_ request: Request, destination: @escaping @Sendable (ResponseHead) throws -> FilePath) {
        self.request = request
        self.destination = destination
    }

    public init(_ request: Request, to destination: FilePath) {
        self.init(request) { _ in destination }
    }

    public init(_ request: Request, to destination: String) {
        self.init(request, to: FilePath(destination))
    }
}

/// A download that has come to its end.
public struct DownloadResponse: Sendable {
    /// Where the file is.
    public let path: FilePath
    /// The last answer, without its body. Its status is 206 where the download was resumed.
    public let response: Response
}
