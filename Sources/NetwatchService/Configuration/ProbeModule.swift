package import Connectivity

/// How `/probe` makes a target of what it is asked about: blackbox_exporter's "module".
package struct ProbeModule: Hashable, Sendable {
    /// What stands for the text that is asked about.
    static let mark = "{target}"

    /// The URL, with ``mark`` where that text goes.
    package var pattern: String
    /// All else of the target. Its URL and its name mean nothing.
    package var template: Target

    /// What is asked for where nothing is said.
    static let usualName = "http_2xx"

    package init(pattern: String, template: Target) {
        self.pattern = pattern
        self.template = template
    }

    /// The target for a text.
    func target(_ text: String) throws(TargetError) -> Target {
        let url = isWhole(text) ? text : pattern.replacing(Self.mark, with: text)
        let plain = try Target(url)
        var target = template
        target.url = url
        target.name = plain.name
        target.family = template.family ?? plain.family
        return target
    }

    /// Whether a text is a URL already of the module's own scheme, where its pattern is no more than that. HTTP and HTTPS count
    /// as one: so it is with blackbox_exporter.
    private func isWhole(_ text: String) -> Bool {
        let end = "://" + Self.mark
        guard pattern.hasSuffix(end) else { return false }
        let own = String(pattern.dropLast(end.count))
        let schemes = ["http", "https"].contains(own) ? ["http", "https"] : [own]
        return schemes.contains { text.lowercased().hasPrefix($0 + "://") }
    }

    // MARK: Those that are always there

    /// The ones of blackbox_exporter's own example that can be had, and one for TLS and one for names.
    static let usual: [String: ProbeModule] = {
        var modules: [String: ProbeModule] = [:]
        modules[usualName] = module("http://\(mark)") { $0.redirects = 10 }
        modules["http_post_2xx"] = module("http://\(mark)") {
            $0.method = "POST"
            $0.redirects = 10
        }
        modules["tcp_connect"] = module("tcp://\(mark)")
        modules["tcp_connect_tls"] = module("tls://\(mark)")
        modules["icmp"] = module("icmp://\(mark)")
        modules["dns"] = module("dns://\(mark)")
        return modules
    }()

    private static func module(_ pattern: String, _ change: (inout Target) -> Void = { _ in }) -> ProbeModule? {
        guard var template = try? Target(pattern.replacing(mark, with: "target.invalid:1")) else { return nil }
        change(&template)
        return ProbeModule(pattern: pattern, template: template)
    }
}
