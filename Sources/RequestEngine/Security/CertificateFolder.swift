internal import SystemPackage

/// The certificates found in a folder, and the files that should have been certificates and are not.
public struct CertificateFolder: Sendable {
    /// What counts as a certificate's file name.
    public static let suffixes = [".cer", ".crt", ".der", ".pem"]

    /// The certificates, each once, by the order of the file names.
    public let certificates: [Certificate]
    /// Files that could not be used, with the reason of each.
    public let rejected: [SecurityError]

    /// Reads every file of a folder whose name ends in one of ``suffixes``, in either case. Subfolders are not entered.
    ///
    /// A file that is not a certificate does not spoil the others: it stands in ``rejected``.
    public init(path: String) throws(SecurityError) {
        var certificates: [Certificate] = []
        var rejected: [SecurityError] = []
        for file in try Self.files(in: path) {
            do {
                certificates += try Certificate.certificates(file: file)
            } catch {
                rejected.append(error)
            }
        }
        var seen: Set<SHA256Digest> = []
        self.certificates = certificates.filter { seen.insert($0.fingerprint).inserted }
        self.rejected = rejected
    }

    /// The paths of the files that count, by the order of their names.
    static func files(in path: String) throws(SecurityError) -> [String] {
        try names(path).filter { name in suffixes.contains(where: name.lowercased().hasSuffix) }
            .map { "\(path)/\($0)" }
    }

    private static func names(_ path: String) throws(SecurityError) -> [String] {
        do throws(Errno) {
            var folder = try FolderNames(path)
            var names: [String] = []
            while let name = folder.next() { names.append(name) }
            return names.sorted()
        } catch {
            throw .unreadable(path: path, error)
        }
    }
}
