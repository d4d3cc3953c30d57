import FoundationEssentials
import RequestEngine

/// A multipart body as curl(1) makes it of options.
enum CurlForm {
    /// The options; nil where some part has nothing that curl could make it of: headers of its own, bytes in memory that
    /// are no text, or a second stream.
    static func options(_ form: MultipartFormData) -> [String]? {
        var options: [String] = []
        var streams = 0
        for part in form.parts {
            if case .stream = part.content { streams += 1 }
            guard streams <= 1, let option = option(part) else { return nil }
            options += option
        }
        return options
    }

    /// Whether a part of the form is read from standard input.
    static func readsInput(_ form: MultipartFormData) -> Bool {
        form.parts.contains { if case .stream = $0.content { true } else { false } }
    }

    private static func option(_ part: MultipartFormData.Part) -> [String]? {
        guard !part.hasOwnHeaders, !part.name.utf8.contains(UInt8(ascii: "=")) else { return nil }
        switch part.content {
        case .data(let data):
            guard let text = String(validating: data, as: UTF8.self), !text.contains("\0") else { return nil }
            guard part.fileName != nil else { return ["--form-string", "\(part.name)=\(text)"] }
            return ["--form", "\(part.name)=\(text.inDoubleQuotes)\(attributes(of: part))"]
        case .file(let path, _):
            return ["--form", "\(part.name)=@\("\(path)".inDoubleQuotes)\(attributes(of: part))"]
        case .stream:
            return ["--form", "\(part.name)=@-\(attributes(of: part))"]
        }
    }

    private static func attributes(of part: MultipartFormData.Part) -> String {
        let fileName = part.fileName.map { ";filename=\($0.inDoubleQuotes)" } ?? ""
        let type = part.headers["Content-Type"].map { ";type=\($0)" } ?? ""
        return type + fileName
    }
}
