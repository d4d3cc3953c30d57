public import FoundationEssentials

/// The content of a request.
public enum RequestBody: Sendable {
    case data(Data)
    /// The content of a file, read as it is sent and never held in memory whole.
    case file(path: String)
}
