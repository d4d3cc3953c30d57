internal import Connectivity
package import Probing

extension Explanation {
    /// The version of this shape in JSON. It changes only when a reader of the older one would be misled.
    private static let schemaVersion = 1

    /// The explanation as `packaging/netwatch-explanation.schema.json` describes it, in UTF-8 and in one line, without a line
    /// feed.
    package var json: [UInt8] {
        var text = JSONText()
        write(to: &text)
        return text.bytes
    }

    /// The same with its line feed.
    package var jsonLine: [UInt8] { json + [UInt8(ascii: "\n")] }
}

extension Explanation: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("schema", Self.schemaVersion)
            json.member("subject", subject)
            json.member("summary", summary)
            json.member("isReachable", isReachable)
            json.member("blame", blame)
            json.member("steps", steps)
            json.member("elsewhere", elsewhere)
        }
    }
}

extension Explanation.Step: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("kind", kind)
            json.member("isWell", isWell)
            json.member("finding", finding)
            json.member("reason", reason)
            json.member("blame", blame)
            json.member("evidence", evidence)
            json.member("advice", advice)
            json.member("command", command)
        }
    }
}

extension Explanation.Kind: JSONWritable {}

extension Elsewhere: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("works", works)
            json.member("summary", summary)
            json.member("checks", checks)
        }
    }
}

extension Elsewhere.Check: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("kind", kind)
            json.member("host", host)
            json.member("interface", interface)
            json.member("answers", answers)
        }
    }
}

extension Elsewhere.Check.Kind: JSONWritable {}
