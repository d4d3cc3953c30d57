public import FoundationEssentials

extension HeaderFields.Field {
    /// `Authorization` with a user name and password in UTF-8 (RFC 7617); nil where the user has a colon, which the
    /// scheme cannot carry.
    public static func authorization(user: String, password: String) -> Self? {
        guard !user.utf8.contains(UInt8(ascii: ":")) else { return nil }
        let credentials = Data("\(user):\(password)".utf8).base64EncodedString()
        return Self(name: "Authorization", value: "Basic \(credentials)")
    }

    /// `Authorization` with a bearer token (RFC 6750).
    public static func authorization(bearerToken: String) -> Self {
        Self(name: "Authorization", value: "Bearer \(bearerToken)")
    }

    public static func accept(_ types: MediaType...) -> Self {
        Self(name: "Accept", value: types.map(\.description).joined(separator: ", "))
    }

    public static func contentType(_ type: MediaType) -> Self {
        Self(name: "Content-Type", value: type.description)
    }

    public static func userAgent(_ value: String) -> Self {
        Self(name: "User-Agent", value: value)
    }
}

extension HeaderFields {
    /// Replaces every field of this one's name, or adds it.
    public mutating func set(_ field: Field) {
        set(field.name, to: field.value)
    }

    /// The media type of the content; nil where none is named, or it cannot be read.
    public var contentType: MediaType? {
        self["Content-Type"].flatMap { MediaType($0) }
    }

    /// These fields, with the values that let a reader act in another's name replaced by `<redacted>`.
    public var redacted: HeaderFields { redacted(with: []) }

    /// The same, with other fields that are secret, named in small letters.
    func redacted(with others: Set<String>) -> HeaderFields {
        let fields = map { field -> Field in
            let name = field.name.lowercased()
            let isSecret = Self.secretNames.contains(name) || others.contains(name)
            return isSecret ? Field(name: field.name, value: "<redacted>") : field
        }
        return HeaderFields(fields)
    }

    /// The fields that let a reader act in another's name, in small letters.
    static let secretNames: Set = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token", "x-csrf-token",
    ]

    /// What to call the content in a file: as the server says, else as the URL ends; nil where neither gives a name.
    public func suggestedFileName(for url: URL) -> FileName? {
        let given = self["Content-Disposition"].flatMap { ContentDisposition($0)?.fileName }
        return given.flatMap { FileName($0) } ?? FileName(url.lastPathComponent)
    }
}
