import Connectivity
import FoundationEssentials
import RequestCore

/// The keys of a target that say what the answer has to be.
struct AnswerDocument: Sendable {
    var expect: Expectation.Kind?
    var statuses: StatusCodes?
    var body: String?
    var json: JSONMatchDocument?
    var header: HeaderDocument?
    var certificateDays: Int?
    var maximumBodySize: Int?

    init(_ values: KeyedDecodingContainer<TargetDocument.CodingKeys>) throws {
        expect = try values.word(Expectation.Kind.self, forKey: .expect)
        statuses = try values.decodeIfPresent(StatusCodes.self, forKey: .statuses)
        body = try values.decodeIfPresent(String.self, forKey: .body)
        json = try values.decodeIfPresent(JSONMatchDocument.self, forKey: .json)
        header = try values.decodeIfPresent(HeaderDocument.self, forKey: .header)
        certificateDays = try values.wholeNumber(forKey: .certificateDays)
        maximumBodySize = try values.wholeNumber(forKey: .maximumBodySize)
    }

    /// What counts as the target's own answer.
    func expectation(at key: String) throws(ConfigurationError) -> Expectation {
        guard body == nil || json == nil else {
            throw .invalid(key: "\(key).json", reason: "there is a \"body\" beside it: leave one of them out")
        }
        var expectation = try kind(at: key)
        statuses.map { expectation.statuses = $0 }
        body.map { expectation.body = expectation.kind == .body ? .exact($0) : .expression($0) }
        json.map { expectation.body = .json($0.match) }
        header.map { expectation.header = Expectation.Header(name: $0.name, value: $0.value) }
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
struct JSONMatchDocument: Decodable, Sendable {
    let match: JSONMatch

    enum CodingKeys: String, CodingKey, CaseIterable {
        case pointer, equals
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(refusingOthersThan: CodingKeys.self)
        match = JSONMatch(
            pointer: try values.decode(String.self, forKey: .pointer), value: try Self.expected(values)?.text())
    }

    /// Any JSON value but an array or an object.
    private static func expected(_ values: KeyedDecodingContainer<CodingKeys>) throws -> JSONValue? {
        guard values.contains(.equals) else { return nil }
        if try values.decodeNil(forKey: .equals) { return .null }
        if let value = try? values.decode(Bool.self, forKey: .equals) { return .bool(value) }
        if let value = try? values.decode(Int64.self, forKey: .equals) { return .integer(value) }
        if let value = try? values.decode(Double.self, forKey: .equals) { return .number(value) }
        if let value = try? values.decode(String.self, forKey: .equals) { return .string(value) }
        throw DecodingError.dataCorruptedError(
            forKey: .equals, in: values, debugDescription: "expected a string, a number, true, false or null")
    }
}

/// `{"name": "X-Answer", "value": "yes"}`.
struct HeaderDocument: Decodable, Sendable {
    let name: String
    let value: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, value
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(refusingOthersThan: CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        value = try values.decode(String.self, forKey: .value)
    }
}
