package import FoundationEssentials
import Netwatch

/// Where a service sends its metrics by itself: one of `service.push`.
package struct PushExport: Hashable, Sendable {
    package enum Format: String, Hashable, Sendable, CaseIterable {
        /// OpenTelemetry's protocol over HTTP in JSON: metrics, and events as logs.
        case otlp
        /// The text of `/metrics`, to an address that takes it in: VictoriaMetrics, a Pushgateway.
        case prometheus
    }

    package var url: URL
    package var format: Format
    package var interval = Duration.seconds(15)
    /// A file that begins with the token to send. It is read anew for each request.
    package var tokenFile: String?
    package var caFile: String?

    package init(url: URL, format: Format) {
        self.url = url
        self.format = format
    }

    /// - Throws: ``ConfigurationError`` for a file that this user may not read.
    func checkFiles(at key: String) throws(ConfigurationError) {
        try ConfigurationError.checkReadable([("tokenFile", tokenFile), ("caFile", caFile)], at: key)
    }
}
