import Connectivity
import EventLoop
import Reachability

extension Event {
    /// The event as `packaging/netwatch-event.schema.json` describes it, in UTF-8 and in one line, without a line feed.
    package var json: [UInt8] {
        var text = JSONText()
        write(to: &text)
        return text.bytes
    }

    /// The same with its line feed.
    package var jsonLine: [UInt8] {
        var line = EventLine()
        line.set(self)
        return line.withBytes { Array($0) }
    }
}

/// The line of one event after the other, in one place: the memory for a new one is the slow kind of `malloc`'s.
package struct EventLine: ~Copyable {
    private var text = JSONText()

    package init() {}

    /// Makes it the line of an event.
    package mutating func set(_ event: Event) {
        text.clear()
        event.write(to: &text)
        text.buffer.append(UInt8(ascii: "\n"))
    }

    /// How many bytes it has a place for.
    package var capacity: Int { text.buffer.capacity }

    package borrowing func withBytes<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(text.buffer.bytes)
    }
}

extension Event: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("captivePortal", captivePortal)
            json.member("cause", cause)
            json.member("checkedAt", checkedAt)
            json.member("connectivity", connectivity)
            json.member("from", from)
            json.member("kind", kind)
            json.member("latency", latency)
            json.member("monotonic", monotonic)
            json.member("observed", observed)
            json.member("omittedTargets", omittedTargets)
            json.member("path", path)
            json.member("portal", portal)
            json.member("probes", probes)
            json.member("reachability", reachability)
            json.member("reason", reason)
            json.member("resync", resync)
            json.member("schema", schema)
            json.member("seq", seq)
            json.member("since", since)
            json.member("skipped", skipped)
            json.member("spare", spare)
            json.member("suspectSince", suspectSince)
            json.member("targets", targets)
            json.member("time", time)
            json.member("to", to)
            json.member("uplinks", uplinks)
        }
    }
}

extension Event.Kind: JSONWritable {}
extension ConnectivityStatus: JSONWritable {}
extension ConnectivityReason: JSONWritable {}

extension MonotonicTime: JSONWritable {
    func write(to json: inout JSONText) { nanoseconds.write(to: &json) }
}

extension Event.State: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("connectivity", connectivity)
            json.member("interfaces", interfaces)
            json.member("reachability", reachability)
        }
    }
}

extension Cause.Kind: JSONWritable {}

extension Cause: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("description", description)
            json.member("fields", fields)
            json.member("interface", interface)
            json.member("kind", kind)
        }
    }
}

extension Cause.Fields: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            for (name, value) in self { json.member(named: name, value) }
        }
    }
}
