import Connectivity
import NetworkAddress
import Reachability
import RequestCore

/// The keys of one target: its URL, and what differs from an ordinary one.
struct TargetDocument: Decodable, Sendable {
    var url: String
    var name: String?
    var role: Target.Role?
    var method: String?
    var headers: [String: String]?
    var requestBody: String?
    var httpVersion: HTTPVersion?
    var redirects: Int?
    var proxy: String?
    var timeout: Double?
    var interval: Double?
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

    enum CodingKeys: String, CodingKey, CaseIterable {
        case url, name, role, method, headers, requestBody, httpVersion, redirects, proxy, timeout, interval, jitter,
            retries, interface, medium, family, eachAddress, weight, labels
        case isPublic = "public"
        // What the answer has to be: see AnswerDocument.
        case expect, statuses, body, json, header, certificateDays, maximumBodySize
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(refusingOthersThan: CodingKeys.self)
        url = try values.decode(String.self, forKey: .url)
        name = try values.decodeIfPresent(String.self, forKey: .name)
        role = try values.word(Target.Role.self, forKey: .role)
        method = try values.decodeIfPresent(String.self, forKey: .method)
        headers = try values.decodeIfPresent([String: String].self, forKey: .headers)
        requestBody = try values.decodeIfPresent(String.self, forKey: .requestBody)
        httpVersion = try values.decodeIfPresent(HTTPVersion.self, forKey: .httpVersion)
        redirects = try values.wholeNumber(forKey: .redirects)
        proxy = try values.decodeIfPresent(String.self, forKey: .proxy)
        timeout = try values.decodeIfPresent(Double.self, forKey: .timeout)
        interval = try values.decodeIfPresent(Double.self, forKey: .interval)
        jitter = try values.decodeIfPresent(Double.self, forKey: .jitter)
        retries = try values.wholeNumber(forKey: .retries)
        interface = try values.decodeIfPresent(String.self, forKey: .interface)
        medium = try values.decodeIfPresent(Medium.self, forKey: .medium)
        family = try values.word(AddressFamily.self, forKey: .family)
        eachAddress = try values.decodeIfPresent(Bool.self, forKey: .eachAddress)
        isPublic = try values.decodeIfPresent(Bool.self, forKey: .isPublic)
        weight = try values.wholeNumber(forKey: .weight)
        labels = try values.decodeIfPresent([String: String].self, forKey: .labels)
        answer = try AnswerDocument(values)
    }

    /// The target, or what is wrong with it at its place in the document.
    func target(at key: String) throws(ConfigurationError) -> Target {
        let expectation = try answer.expectation(at: key)
        var target = try plainTarget(expectation, at: key)
        setRequest(of: &target)
        setWay(of: &target)
        try setPace(of: &target, at: key)
        do throws(TargetError) {
            try target.validate()
            return target
        } catch {
            throw .invalid(key: key, reason: "\(error)")
        }
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

    private func setPace(of target: inout Target, at key: String) throws(ConfigurationError) {
        target.timeout = try ConfigurationDocument.seconds(timeout, "\(key).timeout")
        target.interval = try ConfigurationDocument.seconds(interval, "\(key).interval")
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
