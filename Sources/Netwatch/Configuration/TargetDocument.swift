import Connectivity
import NetworkAddress
import Reachability
import RequestEngine

/// The keys of one target: its URL, and what differs from an ordinary one.
struct TargetDocument: Sendable {
    var url: String
    var name: String?
    var role: Target.Role?
    var method: String?
    var headers: [String: String]?
    var requestBody: String?
    var httpVersion: ProtocolVersion?
    var redirects: Int?
    var proxy: String?
    var timeout: Duration?
    var interval: Duration?
    var jitter: Double?
    var retries: Int?
    var interface: String?
    var medium: Medium?
    var family: AddressFamily?
    var eachAddress: Bool?
    var isPublic: Bool?
    var weight: Int?
    var labels: [String: String]?
    var answer: AnswerDocument
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
        self.url = url
        name = try values.string(.name)
        role = try values.word(.role, Target.Role.allCases)
        method = try values.string(.method)
        headers = try values.stringTable(.headers, expected: "header fields, {\"Accept\": \"text/plain\"}")
        requestBody = try values.string(.requestBody)
        httpVersion = try Self.httpVersion(values)
        redirects = try values.wholeNumber(.redirects)
        proxy = try values.string(.proxy)
        timeout = try values.duration(.timeout)
        interval = try values.duration(.interval)
        jitter = try values.number(.jitter)
        retries = try values.wholeNumber(.retries)
        interface = try values.string(.interface)
        medium = try values.word(.medium, Medium.allCases)
        family = try values.word(.family, AddressFamily.allCases)
        eachAddress = try values.flag(.eachAddress)
        isPublic = try values.flag(.isPublic)
        weight = try values.wholeNumber(.weight)
        labels = try values.stringTable(.labels, expected: "names and values, {\"team\": \"net\"}")
        answer = try AnswerDocument(values)
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
        let expectation = try answer.expectation(at: key)
        var target = try plainTarget(expectation, at: key)
        try TargetKeys.check(keys, answer.expect, scheme: url.prefix { $0 != ":" }.lowercased(), at: key)
        setRequest(of: &target)
        setWay(of: &target)
        setPace(of: &target)
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

    private func plainTarget(_ expectation: Expectation, at key: String) throws(ConfigurationError) -> Target {
        do throws(TargetError) {
            return try Target(url, name: name, role: role ?? .target, expectation: expectation)
        } catch {
            throw .invalid(key: "\(key).url", reason: "\(error)")
        }
    }

    private func setRequest(of target: inout Target) {
        method.map { target.method = $0 }
        headers.map { target.headers = $0 }
        target.requestBody = requestBody
        target.httpVersion = httpVersion
        target.redirects = redirects
        target.proxy = proxy
        target.maximumBodySize = answer.maximumBodySize
    }

    private func setPace(of target: inout Target) {
        target.timeout = timeout
        target.interval = interval
        target.jitter = jitter
        target.retries = retries
    }

    private func setWay(of target: inout Target) {
        target.interface = interface
        target.medium = medium
        family.map { target.family = $0 }
        eachAddress.map { target.eachAddress = $0 }
        isPublic.map { target.isPublic = $0 }
        weight.map { target.weight = $0 }
        labels.map { target.labels = $0 }
    }
}
