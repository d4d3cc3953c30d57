import CLinux

/// What a descriptor is watched for, and what it turned out to be ready for.
public struct Readiness: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// There is something to read, or the end of it (`EPOLLIN`).
    public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    /// Something can be written (`EPOLLOUT`).
    public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The descriptor has an error or its peer is gone (`EPOLLERR`, `EPOLLHUP`). Told always, asked for or not.
    public static let failed = Readiness(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
}
