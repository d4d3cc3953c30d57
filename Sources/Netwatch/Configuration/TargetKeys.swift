import Connectivity

/// Which keys mean something for which kind of target. The others would be passed over in silence.
enum TargetKeys {
    private typealias Key = TargetDocument.CodingKeys

    /// A few keys, the schemes of the targets that can have them, and what of.
    private struct Rule {
        let keys: [Key]
        let schemes: [String]
        var what = "can have it"
    }

    /// All other keys mean the same for every target.
    private static let rules = [
        Rule(
            keys: [
                .method, .headers, .requestBody, .httpVersion, .redirects, .statuses, .header, .maximumBodySize,
            ], schemes: ["http", "https"]),
        Rule(keys: [.expect, .body, .json], schemes: ["http", "https", "dns"], what: "can have an expected body"),
        Rule(keys: [.proxy], schemes: ["http", "https", "tls"], what: "can go through one"),
        Rule(keys: [.certificateDays], schemes: ["https", "tls"], what: "have a certificate"),
    ]

    static func check(
        _ keys: [TargetDocument.CodingKeys], _ expected: Expectation.Kind?, scheme: String, at path: String
    ) throws(ConfigurationError) {
        if scheme == "dns", expected == .noContent || expected == .challenge {
            throw .invalid(
                key: "\(path).\(Key.expect.stringValue)",
                reason: "its scheme is dns, and only http and https can answer so")
        }
        for key in keys {
            guard let rule = rules.first(where: { $0.keys.contains(key) }), !rule.schemes.contains(scheme) else {
                continue
            }
            throw .invalid(
                key: "\(path).\(key.stringValue)",
                reason: "its scheme is \(scheme), and only \(words(rule.schemes)) \(rule.what)")
        }
    }

    private static func words(_ schemes: [String]) -> String {
        schemes.dropLast().joined(separator: ", ") + " and " + (schemes.last ?? "")
    }
}
