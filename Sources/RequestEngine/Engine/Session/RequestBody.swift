public import FoundationEssentials

/// The content of a request.
public enum RequestBody: Sendable {
    case data(Data)
    /// The content of a file, read as it is sent and never held in memory whole.
    case file(path: String)
    /// Bytes made by a reader, of a length that is known or not (nil: sent in chunks). It is opened for every time that
    /// the request is sent, so also after a redirect or a challenge.
    case stream(length: Int64?, open: @Sendable () throws -> any BodyReader)
    /// The elements of an asynchronous sequence, sent as they come; made with ``sequence(length:_:)``.
    case pieces(length: Int64?, BodyPieces)
    /// Several parts, read as they are sent; made with ``Request/carrying(_:)``, which sets the headers that go with it.
    case multipart(MultipartFormData)
}

extension RequestBody {
    /// The elements of a sequence, sent as they come. An element is asked for once the one before is on its way, so that
    /// a slow server makes the sequence wait. Time spent waiting for an element counts for no time-out but `total`.
    ///
    /// - Parameters:
    ///   - length: The sum of their bytes, where it is known; else they are sent in chunks.
    ///   - make: Makes the sequence, each time that the request is sent, so also after a redirect or a challenge.
    public static func sequence<Pieces: AsyncSequence & Sendable>(
        length: Int64? = nil, _ make: @escaping @Sendable () -> Pieces
    ) -> RequestBody where Pieces.Element == Data {
        .pieces(
            length: length,
            BodyPieces { take in
                for try await piece in make() where await !take(piece) { return }
            })
    }
}

/// A body that comes in pieces.
public struct BodyPieces: Sendable {
    /// Gives the pieces one after the other until there are none, or no more is taken.
    let give: @Sendable (_ take: @Sendable (Data) async -> Bool) async throws -> Void
}
