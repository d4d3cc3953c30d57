public import FoundationEssentials
import Glibc

/// How characters are written as bytes. Only encodings in this list are handed to the system's converter, since what
/// names one comes from a server.
public struct TextEncoding: Hashable, Sendable {
    /// The name that iconv(3) knows.
    let name: String

    public static let utf8 = TextEncoding(name: "UTF-8")
    public static let latin1 = TextEncoding(name: "ISO-8859-1")

    /// The encoding of a `charset` parameter, in whatever case; nil where it is not in the list.
    public init?(charset: String) {
        let label = charset.lowercased()
        if let name = Self.aliases[label] {
            self.init(name: name)
        } else if Self.labels.contains(label) {
            self.init(name: label.uppercased())
        } else {
            return nil
        }
    }

    private init(name: String) {
        self.name = name
    }

    /// The text; bytes that are none become U+FFFD.
    public func decode(_ data: Data) throws(TextEncodingError) -> String {
        switch self {
        case .utf8:
            let hasMark = data.starts(with: [0xEF, 0xBB, 0xBF])
            return String(decoding: hasMark ? data.dropFirst(3) : data, as: UTF8.self)
        case .latin1: return String(String.UnicodeScalarView(data.lazy.map { Unicode.Scalar($0) }))
        default: return try Converter(from: name).convert(Array(data)).text
        }
    }

    /// The text; bytes that are none are an error.
    public func decode(validating data: Data) throws(TextEncodingError) -> String {
        switch self {
        case .utf8:
            guard String(validating: data, as: UTF8.self) != nil else { throw .invalid(name) }
            return try decode(data)
        case .latin1: return try decode(data)
        default:
            let (text, isValid) = try Converter(from: name).convert(Array(data))
            guard isValid else { throw .invalid(name) }
            return text
        }
    }

    private static let aliases = [
        "utf8": "UTF-8", "latin1": "ISO-8859-1", "ascii": "UTF-8", "us-ascii": "UTF-8", "x-sjis": "CP932",
        "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932", "windows-31j": "CP932", "gb2312": "GB18030",
        "gbk": "GB18030", "ks_c_5601-1987": "CP949", "euc-kr": "CP949", "tis-620": "CP874",
    ]

    private static let labels: Set<String> = Set(
        [
            "utf-8", "utf-16", "utf-16le", "utf-16be", "utf-32", "big5", "gb18030", "euc-jp", "koi8-r", "koi8-u",
            "macintosh",
        ]
            + (1...16).filter { $0 != 12 }.map { "iso-8859-\($0)" } + (1250...1258).map { "windows-\($0)" })
}

/// Why a text cannot be read.
public enum TextEncodingError: Error, Hashable, Sendable {
    /// The system has no converter from this encoding (glibc's are in the package `libc6`).
    case unavailable(String)
    /// Some of the bytes are no text in this encoding.
    case invalid(String)
}

extension TextEncodingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unavailable(let name): "the system cannot convert from \(name): install the converters of glibc"
        case .invalid(let name): "it is not valid \(name)"
        }
    }
}
