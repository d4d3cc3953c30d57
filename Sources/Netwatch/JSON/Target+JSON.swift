import Connectivity
import RequestCore

extension TargetHealth: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("addresses", addresses)
            json.member("blame", blame)
            json.member("checkedAt", checkedAt)
            json.member("evidence", evidence)
            json.member("reason", reason)
            json.member("since", since)
            json.member("status", status)
            json.member("target", target)
        }
    }
}

extension TargetHealth.Status: JSONWritable {}
extension TargetHealth.Blame: JSONWritable {}

extension UplinkVerdict: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("checkedAt", checkedAt)
            json.member("connectivity", connectivity)
            json.member("family", family)
            json.member("interface", interface)
            json.member("isActive", isActive)
            json.member("reason", reason)
            json.member("since", since)
            json.member("suspectSince", suspectSince)
        }
    }
}

extension CaptivePortal: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("api", api)
            json.member("checkedAt", checkedAt)
            json.member("failure", failure)
            json.member("interface", interface)
            json.member("isCaptive", isCaptive)
            json.member("secondsRemaining", secondsRemaining)
            json.member("userPortal", userPortal)
            json.member("venueInfo", venueInfo)
        }
    }
}

extension ProbeResult: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("addressCount", addressCount)
            json.member("addresses", addresses)
            json.member("certificate", certificate)
            json.member("delay", delay)
            json.member("duration", duration)
            json.member("failedPhase", failedPhase)
            json.member("failure", failure)
            json.member("family", family)
            json.member("interface", interface)
            json.member("outcome", outcome)
            json.member("phases", phases)
            json.member("portal", portal)
            json.member("reason", reason)
            json.member("remoteAddress", remoteAddress)
            json.member("statusCode", statusCode)
            json.member("target", target)
            json.member("time", time)
        }
    }
}

extension PhaseDurations: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            for phase in Self.sorted {
                if let duration = self[phase] { json.member(named: phase.rawValue, duration) }
            }
        }
    }

    private static let sorted = Phase.allCases.sorted { $0.rawValue < $1.rawValue }
}

extension AddressResult: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("address", address)
            json.member("connect", connect)
            json.member("duration", duration)
            json.member("failure", failure)
            json.member("isWinner", isWinner)
            json.member("outcome", outcome)
            json.member("reason", reason)
        }
    }
}

extension ProbeResult.Outcome: JSONWritable {}
extension Phase: JSONWritable {}

extension CertificateFacts: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("issuer", issuer)
            json.member("notAfter", notAfter)
            json.member("notBefore", notBefore)
            json.member("subject", subject)
        }
    }
}
