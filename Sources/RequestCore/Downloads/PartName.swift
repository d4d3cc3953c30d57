import RequestEngine
import SystemPackage

/// The name of a file that is not whole yet: hidden, beside the file that it is to be, as `.file.zip.1234.part`.
enum PartName {
    static func random(for destination: FilePath) -> String {
        let ending = ".\(UInt32.random(in: .min ... .max)).part"
        let name = destination.lastComponent?.string ?? "download"
        return TemporaryName.make(".", name, ending)
    }

    /// The file that resume data name, where it can be one of a download to this destination; nil for any other. Resume data may
    /// come from anywhere, and the file that they name is written to and deleted.
    static func path(of resumeData: ResumeData, beside destination: FilePath) -> FilePath? {
        let (path, folder) = (FilePath(resumeData.partialFile), destination.removingLastComponent())
        guard let name = path.lastComponent, isPart(name.string),
            path.removingLastComponent().lexicallyNormalized() == folder.lexicallyNormalized()
        else { return nil }
        return folder.appending(name)
    }

    private static func isPart(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].isEmpty, parts[parts.count - 1] == "part" else { return false }
        return DeltaSeconds.isNumber(parts[parts.count - 2])
    }
}
