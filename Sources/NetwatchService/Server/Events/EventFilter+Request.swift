import Connectivity
import Hummingbird

extension EventFilter {
    /// What cannot be filtered by, in a sentence.
    struct Mistake: Error {
        let text: String
    }

    /// - Parameter request: `?kind=transition&target=shop&interface=eth0`, each repeatable.
    init(_ request: Request) throws(Mistake) {
        self.init()
        for (name, value) in request.uri.queryParameters {
            switch name {
            case "kind":
                guard let kind = Event.Kind(rawValue: String(value)), kind != .result else {
                    let words = Event.Kind.allCases.filter { $0 != .result }.map(\.rawValue).joined(separator: ", ")
                    throw Mistake(text: "there is no such kind of event; there are: \(words)\n")
                }
                kinds.insert(kind)
            case "target": targets.insert(String(value))
            case "interface": interfaces.insert(String(value))
            case "after": continue
            default: throw Mistake(text: "events are chosen by kind, target and interface, and begin after an id\n")
            }
        }
    }
}
