internal import FoundationEssentials
import RequestEngine

/// An answer as the bytes of a file: a mark, a digest of all that follows, the length of the head, the head in JSON, and
/// the body. A file that was cut short or changed is told by its digest.
enum CacheFile {
    private static let mark = Array("netwatch-cache-3".utf8)

    static func encode(_ response: StoredResponse) -> [UInt8]? {
        guard let head = try? JSONEncoder().encode(CacheHead(response)), let length = UInt32(exactly: head.count) else {
            return nil
        }
        var content = (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
        content += head
        content += response.body
        return mark + SHA256Digest(of: content).bytes + content
    }

    /// The answer in a file; nil where the file is not whole.
    static func decode(_ bytes: [UInt8]) -> StoredResponse? {
        guard bytes.starts(with: mark), bytes.count >= mark.count + 36 else { return nil }
        let digest = bytes[mark.count..<mark.count + 32]
        let content = Array(bytes[(mark.count + 32)...])
        guard SHA256Digest(of: content).bytes.elementsEqual(digest) else { return nil }
        let length = content.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard content.count >= 4 + length,
            let head = try? JSONDecoder().decode(CacheHead.self, from: Data(content[4..<4 + length]))
        else { return nil }
        return head.response(Data(content[(4 + length)...]))
    }
}

/// All of an answer but its body.
private struct CacheHead: Codable {
    let url: String
    let statusCode: Int
    let httpVersion: String
    let headers: [[String]]
    let requestTime: Int64
    let responseTime: Int64
    let variant: [String: String?]

    init(_ response: StoredResponse) {
        url = response.url
        statusCode = response.statusCode
        httpVersion = response.httpVersion.rawValue
        headers = response.headers.map { [$0.name, $0.value] }
        requestTime = response.requestTime
        responseTime = response.responseTime
        variant = response.variant
    }

    func response(_ body: Data) -> StoredResponse? {
        guard let version = ProtocolVersion(rawValue: httpVersion), headers.allSatisfy({ $0.count == 2 }) else {
            return nil
        }
        return StoredResponse(
            url: url, statusCode: statusCode, httpVersion: version,
            headers: HeaderFields(headers.map { HeaderFields.Field(name: $0[0], value: $0[1]) }), body: body,
            requestTime: requestTime, responseTime: responseTime, variant: variant)
    }
}
