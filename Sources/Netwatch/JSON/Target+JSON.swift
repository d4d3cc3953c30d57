import Connectivity
import RequestEngine

extension TargetHealth: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("target", target)
            json.member("status", status)
            json.member("reason", reason)
            json.member("blame", blame)
            json.member("evidence", evidence)
            json.member("since", at: sinceMonotonic)
            json.member("checkedAt", at: checkedMonotonic)
            json.member("addresses", addresses)
        }
    }
}

extension TargetHealth.Status: JSONWritable {}
extension TargetHealth.Blame: JSONWritable {}

extension UplinkVerdict: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("interface", interface)
            json.member("family", family)
            json.member("isActive", isActive)
            json.member("connectivity", connectivity)
            json.member("reason", reason)
            json.member("since", at: sinceMonotonic)
            json.member("suspectSince", at: suspectMonotonic)
            json.member("checkedAt", at: checkedMonotonic)
        }
    }
}

extension CaptivePortal: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("interface", interface)
            json.member("api", api)
            json.member("isCaptive", isCaptive)
            json.member("userPortal", userPortal)
            json.member("venueInfo", venueInfo)
            json.member("secondsRemaining", secondsRemaining)
            json.member("failure", failure)
            json.member("checkedAt", at: checkedMonotonic)
        }
    }
}

extension ProbeResult: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            writeMembers(to: &json)
            json.member("addresses", addresses)
            json.member("addressCount", addressCount)
        }
    }

    private func writeMembers(to json: inout JSONText) {
        json.member("target", target)
        json.member("interface", interface)
        json.member("family", family)
        json.member("time", at: endMonotonic)
        json.member("outcome", outcome)
        json.member("reason", reason)
        json.member("failure", failure)
        json.member("failedPhase", failedPhase)
        json.member("portal", portal)
        json.member("statusCode", statusCode)
        json.member("remoteAddress", remoteAddress)
        json.member("duration", seconds: durationNanoseconds)
        json.member("phases", Phases(nanoseconds: phaseNanoseconds))
        json.member("delay", seconds: delayNanoseconds)
        json.member("certificate", certificate)
    }

    /// A result beside its target, which tells of the addresses itself.
    struct OfTarget: JSONWritable {
        let result: ProbeResult

        func write(to json: inout JSONText) {
            json.object { json in
                result.writeMembers(to: &json)
                json.member("addressCount", result.addressCount)
            }
        }
    }
}

/// The phases that were entered, in their order.
private struct Phases: JSONWritable {
    let nanoseconds: [Phase: UInt64]

    func write(to json: inout JSONText) {
        json.object { json in
            for phase in Phase.allCases {
                if let nanoseconds = nanoseconds[phase] { json.member(named: phase.rawValue, seconds: nanoseconds) }
            }
        }
    }
}

extension AddressResult: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("address", address)
            json.member("outcome", outcome)
            json.member("reason", reason)
            json.member("failure", failure)
            json.member("isWinner", isWinner)
            json.member("duration", seconds: durationNanoseconds)
            json.member("connect", seconds: connectNanoseconds)
        }
    }
}

extension ProbeResult.Outcome: JSONWritable {}
extension Phase: JSONWritable {}

extension CertificateFacts: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("subject", subject)
            json.member("issuer", issuer)
            json.member("notBefore", UTCTime(notBeforeSeconds).description)
            json.member("notAfter", UTCTime(notAfterSeconds).description)
        }
    }
}
