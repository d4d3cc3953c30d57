import Connectivity
import NetworkAddress

/// The keys of one target: its URL, and what differs from an ordinary one.
struct TargetDocument: Decodable, Sendable {
    var url: String
    var name: String?
    var role: Target.Role?
    var method: String?
    var headers: [String: String]?
    var statuses: StatusCodes?
    var body: String?
    var timeout: Double?
    var interface: String?
    var family: AddressFamily?
    var labels: [String: String]?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case url, name, role, method, headers, statuses, body, timeout, interface, family, labels
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(refusingOthersThan: CodingKeys.self)
        url = try values.decode(String.self, forKey: .url)
        name = try values.decodeIfPresent(String.self, forKey: .name)
        role = try values.decodeIfPresent(Target.Role.self, forKey: .role)
        method = try values.decodeIfPresent(String.self, forKey: .method)
        headers = try values.decodeIfPresent([String: String].self, forKey: .headers)
        statuses = try values.decodeIfPresent(StatusCodes.self, forKey: .statuses)
        body = try values.decodeIfPresent(String.self, forKey: .body)
        timeout = try values.decodeIfPresent(Double.self, forKey: .timeout)
        interface = try values.decodeIfPresent(String.self, forKey: .interface)
        family = try values.decodeIfPresent(AddressFamily.self, forKey: .family)
        labels = try values.decodeIfPresent([String: String].self, forKey: .labels)
    }

    /// The target, or what is wrong with it at its place in the document.
    func target(at key: String) throws(ConfigurationError) -> Target {
        var target: Target
        do throws(TargetError) {
            target = try Target(url, name: name, role: role ?? .target, expectation: expectation)
        } catch {
            throw .invalid(key: "\(key).url", reason: "\(error)")
        }
        method.map { target.method = $0 }
        headers.map { target.headers = $0 }
        target.timeout = try ConfigurationDocument.seconds(timeout, "\(key).timeout")
        interface.map { target.interface = $0 }
        family.map { target.family = $0 }
        labels.map { target.labels = $0 }
        return target
    }

    private var expectation: Expectation {
        var expectation = Expectation.ordinary
        statuses.map { expectation.statuses = $0 }
        body.map { expectation.body = .expression($0) }
        return expectation
    }
}
