public import FoundationEssentials

/// The content of a request.
public enum RequestBody: Sendable {
    case data(Data)
    /// The content of a file, read as it is sent and never held in memory whole.
    case file(path: String)
    /// Bytes made by a reader, of a length that is known or not (nil: sent in chunks). It is opened for every time that
    /// the request is sent, so also after a redirect or a challenge.
    case stream(length: Int64?, open: @Sendable () throws -> any BodyReader)
    /// Several parts, read as they are sent; made with ``Request/carrying(_:)``, which sets the headers that go with it.
    case multipart(MultipartFormData)
}
