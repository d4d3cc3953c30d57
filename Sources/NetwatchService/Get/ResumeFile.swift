import FoundationEssentials
import RequestEngine

/// What a download that failed has left beside its destination, for `--continue`.
struct ResumeFile {
    private let path: String
    private static let mostBytes = 1 << 20

    init(output: String) {
        path = output + ".netwatch-resume"
    }

    /// What is left of an earlier try for the same address; nil where there is none.
    ///
    /// - Parameter any: Whether it may be one for another address.
    func load(for address: URL, orAny any: Bool = false) -> ResumeData? {
        guard let bytes = try? FileContents.read(path, limit: Self.mostBytes),
            let found = try? JSONDecoder().decode(ResumeData.self, from: Data(bytes))
        else { return nil }
        return found.url == address.withoutUserInfo ? found.from(address) : any ? found : nil
    }

    /// Keeps what a later try needs, without the user and the password that the address may hold: that try names them again.
    func save(_ resumeData: ResumeData?) {
        guard let resumeData, let data = try? JSONEncoder().encode(resumeData.from(resumeData.url.withoutUserInfo))
        else { return forget() }
        // Without it a later try begins anew, which is the right thing where nothing can be written.
        try? data.write(to: URL(filePath: path), options: .atomic)
    }

    func forget() {
        try? FileManager.default.removeItem(atPath: path)
    }
}

extension ResumeData {
    /// The same of another spelling of the address.
    fileprivate func from(_ url: URL) -> ResumeData {
        ResumeData(url: url, partialFile: partialFile, offset: offset, validator: validator, total: total)
    }
}

extension URL {
    fileprivate var withoutUserInfo: URL {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: false) else { return self }
        (parts.user, parts.password) = (nil, nil)
        return parts.url ?? self
    }
}
