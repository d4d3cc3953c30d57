import ArgumentParser
import NetwatchService

/// Which authorities are trusted: the option that every command which speaks TLS has.
struct TrustOptions: ParsableArguments {
    @Option(
        help: .init("Trust the authorities in this PEM file instead of the system's.", valueName: "path"),
        completion: .file())
    var caFile: String?

    /// The options that were given.
    var givenFlags: [String] { caFile == nil ? [] : ["--ca-file"] }

    /// The file, once it is known to hold certificates.
    func checkedFile() throws -> String? {
        if let caFile { try CAFileError.check(caFile) }
        return caFile
    }
}
