package import Connectivity
package import RequestEngine
internal import Resolver

/// One probe that was asked for by itself, with all that was measured.
package struct SpotProbe: Sendable {
    package var result: ProbeResult
    /// The answer of HTTP; nil where none came.
    package var response: Response?
    /// What was measured of the connection, also of one that failed; nil where libcurl did not make it.
    package var metrics: RequestMetrics?
    /// What a name server answered; nil where it did not.
    package var names: Names?
    /// The hop limit that an echo's reply had left; nil where none came.
    package var hopLimit: Int?

    /// A name server's answer: how many records each section has.
    package struct Names: Hashable, Sendable {
        package var answers = 0
        package var authorities = 0
        package var additional = 0
        /// The serial number of the zone, where that was asked for.
        package var serial: UInt32?
    }

    init(_ result: ProbeResult) {
        self.result = result
    }

    mutating func take(_ detail: ProbeDetail) {
        switch detail {
        case .response(let response): (self.response, metrics) = (response, response.metrics)
        case .failure(let error): metrics = error.metrics
        case .sections(let sections):
            names = Names(
                answers: sections.answer, authorities: sections.authority, additional: sections.additional,
                serial: names?.serial)
        case .records(let records):
            for case .startOfAuthority(_, _, let serial) in records { names?.serial = serial }
        case .hopLimit(let hopLimit): self.hopLimit = hopLimit
        }
    }
}
