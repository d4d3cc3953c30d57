import FoundationEssentials
package import RequestEngine
import Synchronization

/// Notes every request that a fetch came to, redirects included, and shows each with its phases.
package final class GetReport: EventMonitor {
    private struct Hop {
        let title: String
        var answer: String?
        var metrics: RequestMetrics?
    }

    private let hops = Mutex<[Hop]>([])

    package init() {}

    package func observe(_ event: TaskEvent) {
        switch event.kind {
        case .requested(let request):
            let title = "\(request.method.rawValue) \(request.url.absoluteString.withoutUserInfo)"
            hops.withLock { $0.append(Hop(title: title)) }
        case .responded(let head): change { $0.answer = "\(head.statusCode)" }
        case .measured(let metrics): change { $0.metrics = metrics }
        default: break
        }
    }

    private func change(_ change: (inout Hop) -> Void) {
        hops.withLock { hops in
            if !hops.isEmpty { change(&hops[hops.count - 1]) }
        }
    }

    package func lines(width: Int, style: Style) -> [String] {
        hops.withLock { $0 }.flatMap { hop in
            let title = ([hop.title] + [hop.answer].compactMap { $0 }).joined(separator: style.separator)
            return [title] + (hop.metrics.map { Self.lines($0, width: width, style: style) } ?? [])
        }
    }

    private static func lines(_ metrics: RequestMetrics, width: Int, style: Style) -> [String] {
        let facts = [
            metrics.httpVersion.map { "HTTP/\($0.rawValue)" }, metrics.remoteAddress.map { "from \($0)" },
            metrics.tlsVersion, metrics.tlsCipher, "\(metrics.bytesReceived) bytes",
        ]
        return [facts.compactMap { $0 }.joined(separator: style.separator)]
            + Waterfall.lines(metrics, width: width, style: style)
    }
}
