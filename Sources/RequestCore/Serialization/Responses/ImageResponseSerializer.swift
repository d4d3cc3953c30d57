public import FoundationEssentials
public import RequestEngine

/// An image as it came: its bytes, and what its header tells. Decoding is left to the program that shows it.
public struct Image: Hashable, Sendable {
    public let header: ImageHeader
    public let data: Data

    public var width: Int { header.width }
    public var height: Int { header.height }
}

/// Reads the header of an image. Bytes that are no image are an error; an answer that has none to bring
/// (204, 205, 304, to `HEAD`) is not.
public struct ImageResponseSerializer: ResponseSerializer {
    public var validation: ResponseValidation

    public init(validation: ResponseValidation = ResponseValidation(contentTypes: Self.contentTypes)) {
        self.validation = validation
    }

    /// The types under which the formats that can be read are sent.
    public static let contentTypes = [
        "tiff", "jpeg", "gif", "png", "ico", "x-icon", "bmp", "x-bmp", "x-xbitmap", "x-win-bitmap",
        "x-ms-bmp", "webp", "vnd.microsoft.icon",
    ].map { MediaType("image", $0) }

    public func serialize(_ response: Response) -> SerializedResponse<Image> {
        serialize(response) { () throws(ResponseSerializationError.Reason) in
            guard !response.hasNoContent else { return nil }
            do {
                return Image(header: try ImageHeader(response.body), data: response.body)
            } catch {
                throw .malformed(format: "an image", error)
            }
        }
    }
}
