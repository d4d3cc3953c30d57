#if Service
import Hummingbird

/// The page at `/`: where to find what.
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
        ("/livez?verbose", "whether the program lives"),
        ("/readyz?verbose", "whether the program knows the state of the world"),
    ]

    static func answer(version: String) -> Answer {
        let items = links.map { "<li><a href=\"\($0.0)\">\($0.0)</a>: \($0.1)</li>" }.joined(separator: "\n")
        let page = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>netwatch</title></head>
            <body><h1>netwatch \(version)</h1>
            <ul>
            \(items)
            </ul></body></html>

            """
        return Answer(type: "text/html; charset=utf-8", bytes: Array(page.utf8))
    }
}
#endif
