import Connectivity
import EventLoop
import NetworkAddress
import Reachability

extension Event {
    /// The event as `packaging/netwatch-event.schema.json` describes it, in UTF-8 and in one line, without a line feed.
    package var json: [UInt8] {
        var text = JSONText()
        write(to: &text)
        return text.bytes
    }

    /// The same with its line feed.
    package var jsonLine: [UInt8] { jsonLine(of: nil) }

    /// ``jsonLine`` with whose event it is; without that where it is nil.
    package func jsonLine(of origin: EventOrigin?) -> [UInt8] {
        var text = JSONText()
        if let origin { text.origin = origin.members }
        write(to: &text)
        text.buffer.append(UInt8(ascii: "\n"))
        return text.bytes
    }
}

extension Event: JSONWritable {
    func write(to json: inout JSONText) {
        json.wallOffset = timeNanoseconds &- monotonic
        json.object { json in
            json.member("schema", Self.schemaVersion)
            json.member("seq", seq)
            json.member("time", wall: timeNanoseconds)
            json.member("kind", kind)
            json.memberOrigin()
            writeVerdict(to: &json)
            if kind == .transition { json.member("from", from) }
            json.member("cause", cause)
            writeChanges(to: &json)
            json.member("resync", resync)
            json.member("skipped", skipped)
            json.member("latency", seconds: latencyNanoseconds)
            // Microseconds, so that a double holds it for three centuries.
            json.member("monotonic", seconds: monotonic / 1000 * 1000)
        }
    }

    /// What is said in every line.
    private func writeVerdict(to json: inout JSONText) {
        to.writeMembers(to: &json)
        json.member("reason", reason)
        json.member("blame", blame)
        json.member("observed", observed)
        json.member("spare", spare)
        json.member("portal", portal)
        json.member("since", at: sinceMonotonic)
        json.member("suspectSince", at: suspectMonotonic)
        json.member("checkedAt", at: checkedMonotonic)
    }

    /// What is only said where it is another than before.
    private func writeChanges(to json: inout JSONText) {
        if kind == .snapshot || !targets.isEmpty { json.member("targets", targets) }
        if othersUnknown { json.member("othersUnknown", true) }
        if othersUp { json.member("othersUp", true) }
        if kind == .snapshot || !probes.isEmpty { writeProbes(to: &json) }
        if changes.contains(.uplinks) { json.member("uplinks", uplinks) }
        if changes.contains(.captivePortal) { writeCaptivePortal(to: &json) }
        if changes.contains(.path) { json.member("path", path) }
    }

    /// That there is none any more is a change, too.
    private func writeCaptivePortal(to json: inout JSONText) {
        if captivePortal == nil, kind != .snapshot {
            json.memberIsNull("captivePortal")
        } else {
            json.member("captivePortal", captivePortal)
        }
    }

    /// What each address did is told of the target, where the target is told.
    private func writeProbes(to json: inout JSONText) {
        guard kind != .result else { return json.member("probes", probes) }
        json.member("probes", probes.map(ProbeResult.OfTarget.init))
    }
}

extension Event.Kind: JSONWritable {}
extension ConnectivityStatus: JSONWritable {}
extension ConnectivityReason: JSONWritable {}

extension Event.State: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { writeMembers(to: &$0) }
    }

    func writeMembers(to json: inout JSONText) {
        json.member("reachability", reachability)
        json.member("connectivity", connectivity)
        json.member("interfaces", interfaces)
    }
}

extension Cause.Kind: JSONWritable {}

extension Cause: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("kind", kind)
            json.member("description", description)
            json.member("interface", interface)
            json.member("fields", StringMap(fields))
        }
    }
}
