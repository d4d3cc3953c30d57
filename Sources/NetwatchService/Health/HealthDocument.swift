/// A health report in the form of draft-inadarei-api-health-check-06, media type `application/health+json`.
package struct HealthDocument: Hashable, Sendable, Codable {
    package static let mediaType = "application/health+json"

    package var status: HealthStatus
    package var version: String
    package var serviceId: String
    package var description: String
    /// Why the status is not `pass`.
    package var output: String?
    package var notes: [String]
    package var links: [String: String]
    /// By `component:measurement`, as the draft has it.
    package var checks: [String: [Check]]

    /// One thing that was looked at.
    package struct Check: Hashable, Sendable, Codable {
        package var componentId: String
        package var componentType: String
        package var observedValue: String
        package var status: HealthStatus
        /// RFC 3339, in UTC.
        package var time: String
        package var output: String?
    }
}

/// The draft's words, from good to bad.
package enum HealthStatus: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    case pass
    case warn
    case fail

    package static func < (lhs: HealthStatus, rhs: HealthStatus) -> Bool {
        lhs.severity < rhs.severity
    }

    private var severity: Int {
        switch self {
        case .pass: 0
        case .warn: 1
        case .fail: 2
        }
    }

    /// The status code that goes with it: 503 where it fails, else 200.
    package var statusCode: Int { self == .fail ? 503 : 200 }
}
