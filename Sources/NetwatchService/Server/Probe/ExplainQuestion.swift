import Connectivity
import Hummingbird
import Netwatch
import NetworkAddress
import Probing

/// What `/explain` is asked.
struct ExplainQuestion: Sendable {
    /// What cannot be answered, in a sentence.
    struct Mistake: Error {
        let text: String
    }

    /// A URL, a host or a target's name; nil for the first target.
    var subject: String?
    var interface: String?
    var family: AddressFamily?
    private let isText: Bool

    init(_ request: Request) throws(Mistake) {
        let types = PreferenceList(request.headers[.accept])
        let json = types.weight(of: "application/json", wildcards: ["application/*", "*/*"]) ?? 0
        isText = (types.weight(of: "text/plain", wildcards: ["text/*"]) ?? 0) > json
        for (key, value) in request.uri.queryParameters {
            let isNew: Bool
            switch key {
            case "target": (isNew, subject) = (subject == nil, String(value))
            case "interface": (isNew, interface) = (interface == nil, String(value))
            case "family":
                guard let known = AddressFamily(rawValue: String(value)) else {
                    throw Mistake(text: "there is no such family; there are: ipv4, ipv6\n")
                }
                (isNew, family) = (family == nil, known)
            default: throw Mistake(text: "a way is explained by target, interface and family\n")
            }
            guard isNew else { throw Mistake(text: "name one \(key)\n") }
        }
        if subject?.isEmpty ?? false { throw Mistake(text: "name what to explain: /explain?target=example.org\n") }
        if let interface, !DeviceBinding.isName(interface) {
            throw Mistake(text: "an interface has a name of 1 to 15 bytes without a blank, / or :\n")
        }
    }

    func answer(_ explanation: Explanation) -> HTTPAnswer {
        guard isText else {
            return HTTPAnswer(type: "application/json", bytes: explanation.jsonLine, isNegotiated: true)
        }
        let lines = explanation.description.split(separator: "\n").map { DisplayText.safe(String($0)) + "\n" }
        var answer = HTTPAnswer.text(lines.joined())
        answer.isNegotiated = true
        return answer
    }
}
