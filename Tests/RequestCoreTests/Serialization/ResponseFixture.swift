import Foundation
import RequestCore
import Testing

extension Response {
    /// An answer as a server might give it.
    init(_ body: some Sequence<UInt8>, type: String? = nil, status: Int = 200) throws {
        let url = try #require(URL(string: "http://example.com/path"))
        self.init(url: url, statusCode: status, body: Data(body))
        if let type { headers["Content-Type"] = type }
    }

    init(text: String, type: String? = nil, status: Int = 200) throws {
        try self.init(Array(text.utf8), type: type, status: status)
    }
}

extension ResponseSerializationError {
    var status: Int? {
        if case .unacceptableStatus(let code) = reason { code } else { nil }
    }

    var refusedType: String? {
        if case .unacceptableContentType(let type, _) = reason { type } else { nil }
    }

    /// The format that the body is not of.
    var format: String? {
        if case .malformed(let format, _) = reason { format } else { nil }
    }
}
