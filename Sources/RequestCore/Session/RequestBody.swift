public import FoundationEssentials

/// The content of a request.
public enum RequestBody: Sendable {
    case data(Data)
    /// The content of a file, read as it is sent and never held in memory whole.
    case file(path: String)
    /// Several parts, read as they are sent; made with ``Request/carrying(_:)``, which sets the headers that go with it.
    case multipart(MultipartFormData)
}
