import Connectivity
import EventLoop
import HTTPTypes
import Hummingbird

/// What `/probe` is asked.
struct ProbeQuestion: Sendable {
    /// What cannot be answered, in a sentence.
    struct Mistake: Error {
        let text: String
    }

    let target: Target
    let moduleName: String
    let timeout: Duration
    /// Whether a person wants to read why.
    let isDebugged: Bool

    /// What is left of a scrape's time for the answer to come back in.
    private static let reserve = Duration.milliseconds(500)
    private static let shortest = Duration.milliseconds(100)
    private static let longest = Duration.seconds(120)

    init(
        _ request: Request, modules: [String: ProbeModule], usual: ConnectivityConfiguration
    ) throws(Mistake) {
        let values = request.uri.queryParameters
        func value(_ name: Substring) throws(Mistake) -> String? {
            let all = values.filter { $0.key == name }
            guard all.count <= 1 else { throw Mistake(text: "name one \(name)\n") }
            return all.first.map { String($0.value) }
        }
        guard let text = try value("target"), !text.isEmpty else {
            throw Mistake(text: "name what to probe: /probe?target=https://example.org&module=http_2xx\n")
        }
        moduleName = try value("module") ?? ProbeModule.usualName
        guard let module = modules[moduleName] else {
            let names = modules.keys.sorted().joined(separator: ", ")
            throw Mistake(text: "there is no such module; there are: \(names)\n")
        }
        let interface = try value("interface")
        var target: Target
        do throws(TargetError) {
            target = try module.target(text)
            if let interface {
                target.interface = interface
                target.medium = nil
            }
            try target.validate()
        } catch {
            throw Mistake(text: "\(DisplayText.safe("\(error)"))\n")
        }
        self.target = target
        isDebugged = try value("debug") == "true"
        timeout = Self.timeout(of: request, target.timeout)
    }

    /// The module's own, and no more than the scrape has.
    private static func timeout(of request: Request, _ own: Duration?) -> Duration {
        var scrape: Duration?
        if let field = HTTPField.Name("X-Prometheus-Scrape-Timeout-Seconds"),
            let seconds = request.headers[field].flatMap({ Double($0) }), seconds > 0, seconds < 1e6
        {
            scrape = max(.seconds(seconds) - reserve, shortest)
        }
        return min(own ?? longest, scrape ?? own ?? .seconds(10), longest)
    }
}
