/// The languages a user prefers, from the environment (`setlocale(3)`, and `LANGUAGE` of GNU gettext).
public struct AcceptLanguage: Hashable, Sendable {
    /// Language tags (RFC 5646), the preferred one first.
    public let tags: [String]

    public init(tags: [String]) {
        self.tags = tags
    }

    /// `LANGUAGE` has a list; without it `LC_ALL`, `LC_MESSAGES` and `LANG` have one locale, the first that is set.
    /// Under the locale `C` there is no preference, and `LANGUAGE` does not count.
    public init(environment: [String: String]) {
        let set = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let locale = set.flatMap(Self.tag) else {
            tags = []
            return
        }
        let list = environment["LANGUAGE", default: ""].split(separator: ":").compactMap { Self.tag(String($0)) }
        tags = list.isEmpty ? [locale] : list
    }

    /// The value of the header with falling weights, at most six languages; nil where there is no preference.
    public var headerValue: String? {
        guard !tags.isEmpty else { return nil }
        return zip(tags, Self.weights).map { "\($0);q=\($1)" }.joined(separator: ", ")
    }

    private static let weights = ["1", "0.9", "0.8", "0.7", "0.6", "0.5"]

    /// `de_AT.UTF-8@euro` is `de-AT`; `C` and `POSIX` are no language, nor is what has other characters in it.
    private static func tag(_ locale: String) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        let isTag = name.utf8.allSatisfy { Token.isTokenCharacter($0) && $0 != UInt8(ascii: "*") }
        guard isTag, !name.isEmpty, name != "C", name != "POSIX" else { return nil }
        return String(name.map { $0 == "_" ? "-" : $0 })
    }
}
