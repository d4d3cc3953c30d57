/// What a JSON text may be. As it stands: an object or array, and nothing that RFC 8259 does not allow.
public struct JSONReadingOptions: Hashable, Sendable {
    /// Whether the text may be a single string, number, boolean or null.
    public var allowsFragments = false
    /// Whether a comma may stand before a closing bracket, half of a surrogate pair is replaced by U+FFFD instead of
    /// refused, and the text may be UTF-16: what Foundation's `JSONSerialization` lets pass.
    public var isLenient = false
    /// How deep arrays and objects may be nested; deeper is an error, so that no text can exhaust the stack.
    public var maximumDepth = 512

    public init() {}
}
