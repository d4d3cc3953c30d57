import Connectivity
import EventLoop
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NetworkAddress

import enum RequestEngine.InternationalName

/// What `/probe` is asked.
struct ProbeQuestion: Sendable {
    /// What cannot be answered, in a sentence.
    struct Mistake: Error {
        let text: String
    }

    let target: Target
    /// The host to connect to in place of the one that the target's URL names; nil for that.
    let place: String?
    let moduleName: String
    let timeout: Duration
    /// Whether a person wants to read why.
    let isDebugged: Bool

    /// What is left of a scrape's time for the answer to come back in.
    private static let reserve = Duration.milliseconds(500)
    private static let shortest = Duration.milliseconds(100)
    private static let longest = Duration.seconds(120)
    private static let keys: [Substring] = ["target", "module", "hostname", "interface", "debug"]

    init(
        _ request: Request, modules: [String: ProbeModule], usual: ConnectivityConfiguration
    ) throws(Mistake) {
        let values = request.uri.queryParameters
        // A mistyped one would have something else probed, and called a success.
        guard values.allSatisfy({ Self.keys.contains($0.key) }) else {
            throw Mistake(text: "a probe is chosen by target, module, hostname, interface and debug\n")
        }
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
        let hostname = try value("hostname") ?? ""
        var target: Target
        var place: String?
        do throws(TargetError) {
            target = try module.target(text)
            if !hostname.isEmpty { place = try Self.rename(&target, to: hostname) }
            if let interface {
                target.interface = interface
                target.medium = nil
            }
            try target.validate()
        } catch {
            throw Mistake(text: "\(DisplayText.safe("\(error)"))\n")
        }
        self.target = target
        self.place = place
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

    /// Has a name asked for in place of the host that a target's URL names: in the request, in the handshake and of the
    /// certificate.
    ///
    /// - Returns: The host to connect to all the same; nil where no name is told to it.
    private static func rename(_ target: inout Target, to name: String) throws(TargetError) -> String? {
        let parts = try URLParts(target.url)
        guard parts.isCurls else { return nil }
        guard target.proxy == nil else {
            throw .option("hostname", target: target.name, reason: "its proxy connects to the name that is asked for")
        }
        // What ends in a number is an address to libcurl, as "127.1" is.
        guard let host = InternationalName.ascii(name), IPAddress(host) == nil,
            host.split(separator: ".").last?.first?.isNumber == false,
            var components = URLComponents(string: target.url)
        else { throw .option("hostname", target: target.name, reason: "it is no host's name") }
        components.host = host
        target.url = components.string ?? target.url
        return parts.host
    }
}
