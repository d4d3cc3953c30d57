import CPage
import HTTPTypes

/// The page at `/`: how this host is connected, and where to find what.
enum IndexPage {
    static let links = [
        (
            "/health",
            "the state of the world, as application/health+json: 200 or 503; ?verbose, ?target=NAME, ?interface=NAME"
        ),
        (
            "/events",
            "each change as it comes: Server-Sent Events, or JSON lines to those who accept application/x-ndjson"
        ),
        ("/status", "the state as it is, in the form of netwatch --json"),
        ("/history", "how long what was up and down: ?since=24h, ?target=NAME, ?spans, ?transitions=20"),
        ("/metrics", "metrics for Prometheus or OpenMetrics"),
        (
            "/probe",
            "?target=TEXT&module=http_2xx: one probe, in the families of blackbox_exporter; ?interface=NAME, ?debug=true"
        ),
        (
            "/explain",
            "the steps of the way to a target, looked at now; ?target=NAME-OR-URL, ?interface=NAME, ?family=ipv4"
        ),
        ("/livez?verbose", "whether the program lives"),
        ("/readyz?verbose", "whether the program knows the state of the world"),
    ]

    /// The page, which shows what it is told by `/events` and `/history`.
    ///
    /// What it is, `Sources/CPage/page.html` says. It needs nothing from elsewhere, and the policy lets a browser do nothing
    /// with it but run its own script: not even that may turn text into markup.
    static func answer(version: String, host: String) -> HTTPAnswer {
        let nonce = Self.nonce()
        let paths = links.map {
            "<a href=\"\(Self.escaped($0.0))\" title=\"\(Self.escaped($0.1))\">\(Self.escaped($0.0))</a>"
        }
        let values = [
            "nonce": nonce, "host": Self.escaped(host), "version": Self.escaped(version),
            "links": paths.joined(separator: "\n"),
        ]
        var answer = HTTPAnswer(type: "text/html; charset=utf-8", bytes: Self.template.flatMap { $0.bytes(values) })
        if let policy = HTTPField.Name("Content-Security-Policy") {
            answer.fields[policy] = """
                default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; img-src data:; \
                base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
                trusted-types 'none'
                """
        }
        return answer
    }

    /// The page in parts: bytes as they are, and names in double braces that differ.
    private static let template: [Part] = {
        let page = unsafe UnsafeBufferPointer(start: netwatch_page_start(), count: netwatch_page_size)
        let text = unsafe String(decoding: page, as: UTF8.self)
        return text.split(separator: "{{", omittingEmptySubsequences: false).enumerated().flatMap { index, piece in
            guard index > 0, let end = piece.firstRange(of: "}}") else { return [Part.text(Array(piece.utf8))] }
            return [.name(String(piece[..<end.lowerBound])), .text(Array(piece[end.upperBound...].utf8))]
        }
    }()

    private enum Part {
        case text([UInt8])
        case name(String)

        func bytes(_ values: [String: String]) -> [UInt8] {
            switch self {
            case .text(let bytes): bytes
            case .name(let name): Array((values[name] ?? "").utf8)
            }
        }
    }

    /// What cannot be guessed, in letters that need no quotes.
    private static func nonce() -> String {
        var random = SystemRandomNumberGenerator()
        return String(random.next(), radix: 36) + String(random.next(), radix: 36)
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}
