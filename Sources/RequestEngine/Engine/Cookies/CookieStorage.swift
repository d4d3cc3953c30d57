/// Where a session keeps the cookies that servers set (RFC 6265).
public enum CookieStorage: Hashable, Sendable {
    /// None are taken and none are sent.
    case none
    /// In memory, for as long as the session lives.
    case memory
    /// In memory, read from a file at the start and written to it by `saveCookies()` and at the session's end. The file
    /// has the Netscape format that curl and wget read too; one that is not there yet is empty.
    case file(path: String)
}
