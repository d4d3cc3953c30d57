import Connectivity
import JSON

/// The keys of a target that say what the answer has to be.
struct AnswerDocument: Sendable {
    var expect: Expectation.Kind?
    var statuses: StatusCodes?
    var body: String?
    var json: JSONMatch?
    var header: Expectation.Header?
    var certificateDays: Int?

    init(_ values: DocumentObject<TargetDocument.CodingKeys>) throws(ConfigurationError) {
        expect = try values.word(.expect, Expectation.Kind.allCases)
        statuses = try Self.statuses(values)
        body = try values.string(.body)
        json = try values.node(.json).map { (node) throws(ConfigurationError) in
            try JSONMatchDocument(node, at: values.path(of: .json)).match
        }
        header = try values.node(.header).map { (node) throws(ConfigurationError) in
            try HeaderDocument(node, at: values.path(of: .header)).header
        }
        certificateDays = try values.wholeNumber(.certificateDays)
    }

    private static func statuses(
        _ values: DocumentObject<TargetDocument.CodingKeys>
    ) throws(ConfigurationError) -> StatusCodes? {
        let expected = "status codes such as \"200-299,304\""
        guard let node = values.node(.statuses) else { return nil }
        guard let text = try values.string(.statuses, expected: expected), let codes = StatusCodes(text) else {
            throw values.mismatch(.statuses, expected: expected, node)
        }
        return codes
    }

    /// What counts as the target's own answer.
    func expectation(at key: String) throws(ConfigurationError) -> Expectation {
        guard body == nil || json == nil else {
            throw .invalid(key: "\(key).json", reason: "there is a \"body\" beside it: leave one of them out")
        }
        var expectation = try kind(at: key)
        if let statuses {
            expectation.statuses = statuses
            expectation.excludesRedirects = true
        }
        body.map { expectation.body = expectation.kind == .body ? .exact($0) : .expression($0) }
        json.map { expectation.body = .json($0) }
        expectation.header = header
        expectation.certificateDays = certificateDays
        return expectation
    }

    private func kind(at key: String) throws(ConfigurationError) -> Expectation {
        switch expect {
        case .noContent?: return .noContent
        case .challenge?: return .challenge
        case .body?:
            guard let body else {
                throw .invalid(key: "\(key).expect", reason: "a \"body\" is missing, the exact text")
            }
            return .body(body)
        case .ordinary?, nil: return .ordinary
        }
    }
}

/// `{"pointer": "/status", "equals": "up"}`.
struct JSONMatchDocument: Sendable {
    let match: JSONMatch

    enum CodingKeys: String, CodingKey, CaseIterable {
        case pointer, equals
    }

    init(_ node: DocumentNode, at path: String) throws(ConfigurationError) {
        let values = try DocumentObject<CodingKeys>(
            node, at: path, expected: "an object such as {\"pointer\": \"/status\", \"equals\": \"up\"}")
        guard let pointer = try values.string(.pointer) else { throw .missing(values.path(of: .pointer)) }
        match = JSONMatch(pointer: pointer, value: try Self.expected(values)?.text())
    }

    /// Any JSON value but an array or an object.
    private static func expected(_ values: DocumentObject<CodingKeys>) throws(ConfigurationError) -> JSONValue? {
        // Here null is a value like any other.
        guard let node = values.nodeOrNull(.equals) else { return nil }
        switch node.value {
        case .null: return .null
        case .flag(let flag): return .bool(flag)
        case .string(let text): return .string(text)
        case .number(let text): if let number = Self.number(text) { return number }
        case .plain("true"): return .bool(true)
        case .plain("false"): return .bool(false)
        case .plain(let text): return node.number.flatMap(Self.number) ?? .string(text)
        case .list, .object: break
        }
        throw values.mismatch(.equals, expected: "a string, a number, true, false or null", node)
    }

    private static func number(_ text: String) -> JSONValue? {
        if let whole = Int64(text) { return .integer(whole) }
        return Double(text).flatMap { $0.isFinite ? .number($0) : nil }
    }
}

/// `{"name": "X-Answer", "value": "yes"}`.
struct HeaderDocument: Sendable {
    let header: Expectation.Header

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, value
    }

    init(_ node: DocumentNode, at path: String) throws(ConfigurationError) {
        let values = try DocumentObject<CodingKeys>(
            node, at: path, expected: "an object such as {\"name\": \"X-Up\", \"value\": \"yes\"}")
        guard let name = try values.string(.name) else { throw .missing(values.path(of: .name)) }
        guard let value = try values.string(.value) else { throw .missing(values.path(of: .value)) }
        header = Expectation.Header(name: name, value: value)
    }
}

extension ConfigurationError {
    static func missing(_ key: String) -> ConfigurationError { .invalid(key: key, reason: "it is missing") }
}
