extension StringProtocol {
    /// The text of a URL as it may stand in a message or a report: with the user and password replaced, where it has any.
    package var withoutUserInfo: String {
        guard let start = firstRange(of: "://")?.upperBound else { return String(self) }
        let authority = self[start...].prefix { !"/?#".contains($0) }
        guard let sign = authority.lastIndex(of: "@") else { return String(self) }
        return self[..<start] + "<redacted>" + self[sign...]
    }
}
