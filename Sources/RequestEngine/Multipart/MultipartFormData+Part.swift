package import FoundationEssentials
package import SystemPackage

extension MultipartFormData {
    /// One part: its headers in the order they are sent, and where its content comes from.
    package struct Part: Sendable {
        package let name: String
        package let fileName: String?
        /// Whether the caller has written the headers.
        package let hasOwnHeaders: Bool
        package let headers: HeaderFields
        package let content: Content
    }

    package enum Content: Sendable {
        case data(Data)
        case file(FilePath, size: Int64)
        case stream(@Sendable () throws -> any BodyReader, length: Int64)
    }
}

extension MultipartFormData.Part {
    init(headers: HeaderFields, content: MultipartFormData.Content) {
        self.init(
            name: headers["Content-Disposition"] ?? "", fileName: nil, hasOwnHeaders: true, headers: headers,
            content: content)
    }

    /// `Content-Disposition` first, then `Content-Type`. Names are escaped as a browser does
    /// (WHATWG HTML, "multipart/form-data encoding algorithm"), so that none breaks out of its quotes.
    init(
        name: String, fileName: String? = nil, contentType: MediaType? = nil, content: MultipartFormData.Content
    ) {
        var headers = HeaderFields()
        let file = fileName.map { "; filename=\"\(Self.escape($0))\"" } ?? ""
        headers.append("Content-Disposition", "form-data; name=\"\(Self.escape(name))\"\(file)")
        if let contentType { headers.append("Content-Type", contentType.description) }
        self.init(name: name, fileName: fileName, hasOwnHeaders: false, headers: headers, content: content)
    }

    private static func escape(_ name: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": escaped.append(contentsOf: "%22".unicodeScalars)
            case "\r": escaped.append(contentsOf: "%0D".unicodeScalars)
            case "\n": escaped.append(contentsOf: "%0A".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}

extension MultipartFormData.Content {
    var length: Int64 {
        switch self {
        case .data(let data): Int64(data.count)
        case .file(_, let size): size
        case .stream(_, let length): length
        }
    }

    func open() throws -> any BodyReader {
        switch self {
        case .data(let data): MemoryReader(Array(data))
        case .file(let path, _): try FileReader(path)
        case .stream(let open, _): try open()
        }
    }
}
