import Connectivity
import Netwatch

extension ProbeModule {
    /// What stands where a module is tried: names as they are asked about have neither family nor port of their own.
    private static let example = "target.invalid"

    /// - Parameter node: A target whose URL has ``mark`` in it.
    /// - Throws: ``ConfigurationError`` that names the key.
    init(_ node: DocumentNode, at path: String) throws(ConfigurationError) {
        guard case .object(let members) = node.value, let url = members.first(where: { $0.key == "url" }),
            let pattern = url.value.text
        else {
            // What is wrong with it is what would be wrong with a target.
            _ = try ConfigurationDocument.target(of: node, at: path)
            throw .invalid(key: "\(path).url", reason: "expected a URL with \(Self.mark) in it")
        }
        guard pattern.contains(Self.mark) else {
            throw .invalid(
                key: "\(path).url", reason: "expected \(Self.mark) where the target goes, found \"\(pattern)\"")
        }
        let template = try ConfigurationDocument.target(of: Self.filled(members, pattern), at: path)
        self.init(pattern: pattern, template: template)
    }

    /// The object with a URL that has something in the place of the mark.
    private static func filled(_ members: [DocumentNode.Member], _ pattern: String) -> DocumentNode {
        let url = pattern.replacing(mark, with: example(for: pattern))
        let filled = members.map { member in
            guard member.key == "url" else { return member }
            let value = DocumentNode(value: .string(url), offset: member.value.offset)
            return DocumentNode.Member(key: member.key, offset: member.offset, value: value)
        }
        return DocumentNode(value: .object(filled), offset: 0)
    }

    /// Where the pattern ends with the mark, the port is part of what is asked about, or the name that a server is asked for.
    private static func example(for pattern: String) -> String {
        guard pattern.hasSuffix(mark) else { return example }
        return switch pattern.prefix(while: { $0 != ":" }) {
        case "tcp", "tls": "\(example):1"
        case "dns": "\(example)/\(example)"
        default: example
        }
    }
}
