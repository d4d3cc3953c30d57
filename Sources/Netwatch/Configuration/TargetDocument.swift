import Connectivity
import NetworkAddress
import Reachability
import RequestEngine

/// The keys of one target: its URL, and what differs from an ordinary one.
struct TargetDocument: Sendable {
    /// What is taken over as it stands.
    private let template: Target
    private let answer: AnswerDocument
    /// The keys that are written down.
    private let keys: [CodingKeys]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case url, name, role, method, headers, requestBody, httpVersion, redirects, proxy, timeout, interval, jitter,
            retries, interface, medium, family, eachAddress, weight, labels
        case isPublic = "public"
        // What the answer has to be: see AnswerDocument.
        case expect, statuses, body, json, header, certificateDays, maximumBodySize
    }

    init(_ node: DocumentNode, at path: String) throws(ConfigurationError) {
        let values = try DocumentObject<CodingKeys>(
            node, at: path, expected: "a target, {\"url\": \"https://example.org/\"}")
        keys = CodingKeys.allCases.filter { values.node($0) != nil }
        guard let url = try values.string(.url, expected: "a URL in quotes") else {
            throw .missing(values.path(of: .url))
        }
        var template = Target(
            checked: url, name: try values.string(.name) ?? URLParts.withoutUser(url),
            role: try values.word(.role, Target.Role.allCases) ?? .target, expectation: .ordinary)
        try values.string(.method).map { template.method = $0 }
        try values.stringTable(.headers, expected: "header fields, {\"Accept\": \"text/plain\"}")
            .map { template.headers = $0 }
        template.requestBody = try values.string(.requestBody)
        template.httpVersion = try Self.httpVersion(values)
        template.redirects = try values.wholeNumber(.redirects)
        template.proxy = try values.string(.proxy)
        template.timeout = try values.duration(.timeout)
        template.interval = try values.duration(.interval)
        template.jitter = try values.number(.jitter)
        template.retries = try values.wholeNumber(.retries)
        template.interface = try values.string(.interface)
        template.medium = try values.word(.medium, Medium.allCases)
        template.family = try values.word(.family, AddressFamily.allCases)
        try values.flag(.eachAddress).map { template.eachAddress = $0 }
        try values.flag(.isPublic).map { template.isPublic = $0 }
        try values.wholeNumber(.weight).map { template.weight = $0 }
        try values.stringTable(.labels, expected: "names and values, {\"team\": \"net\"}").map { template.labels = $0 }
        answer = try AnswerDocument(values)
        template.maximumBodySize = try values.wholeNumber(.maximumBodySize)
        self.template = template
    }

    private static func httpVersion(
        _ values: DocumentObject<CodingKeys>
    ) throws(ConfigurationError) -> ProtocolVersion? {
        let expected = "a string that is 1.1 or 2"
        guard let node = values.node(.httpVersion) else { return nil }
        guard let text = try values.string(.httpVersion, expected: expected),
            let version = ProtocolVersion(rawValue: text), [.http1_1, .http2].contains(version)
        else { throw values.mismatch(.httpVersion, expected: expected, node) }
        return version
    }

    /// The target, or what is wrong with it at its place in the document.
    func target(at key: String) throws(ConfigurationError) -> Target {
        var target = template
        target.expectation = try answer.expectation(at: key)
        let plain = try plainTarget(at: key)
        try TargetKeys.check(keys, answer.expect, scheme: target.url.prefix { $0 != ":" }.lowercased(), at: key)
        // The connection is made to a proxy: the family of an address in the URL is the proxy's affair then.
        if target.proxy == nil { target.family = target.family ?? plain.family }
        do throws(TargetError) {
            try target.validate()
            return target
        } catch {
            throw .invalid(key: Self.place(of: error, at: key), reason: "\(error)")
        }
    }

    private static func place(of error: TargetError, at key: String) -> String {
        if case .expression = error { "\(key).body" } else { key }
    }

    private func plainTarget(at key: String) throws(ConfigurationError) -> Target {
        do throws(TargetError) {
            return try Target(template.url)
        } catch {
            throw .invalid(key: "\(key).url", reason: "\(error)")
        }
    }
}
