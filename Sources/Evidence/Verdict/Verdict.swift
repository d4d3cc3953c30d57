/// What all the evidence comes to.
package struct Verdict: Hashable, Sendable {
    package enum Status: Int, Hashable, Sendable, Comparable {
        case none, local, portal, limited, unknown, full

        package static func < (lhs: Status, rhs: Status) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    package var status: Status
    package var culprit: Culprit?
    package var reason: Reason?

    package init(_ status: Status, _ culprit: Culprit? = nil, _ reason: Reason? = nil) {
        self.status = status
        self.culprit = culprit
        self.reason = reason
    }
}
