import Connectivity

/// Whose events they are, and of which run: what a reader of many hosts' events tells them apart by.
package struct EventOrigin: Hashable, Sendable {
    /// The host's id, the same for as long as its system is installed: 32 hexadecimal digits.
    package let id: String
    package let name: String
    /// What the host's owner calls it by: `site`, `provider`, `role`.
    package let labels: [String: String]
    /// When the run began, in seconds since 1970: events are numbered anew with each.
    package let epoch: UInt64
    /// The members of an event that say so, as text.
    let members: [UInt8]

    package init(id: String, name: String, labels: [String: String], epoch: UInt64) {
        self.id = id
        self.name = name
        self.labels = labels
        self.epoch = epoch
        var text = JSONText()
        text.member("epoch", epoch)
        text.member("host", Host(id: id, name: name, labels: labels))
        members = text.bytes
    }

    /// What stands for events that are not known any more, in one line without a line feed.
    ///
    /// - Parameters:
    ///   - first: The id of the last event before them.
    ///   - last: The id of the last of them.
    package func gap(after first: String, upTo last: String) -> [UInt8] {
        var text = JSONText()
        text.origin = members
        text.object { json in
            json.member("schema", Event.schemaVersion)
            json.member("kind", "gap")
            json.memberOrigin()
            json.member("after", first)
            json.member("upTo", last)
        }
        return text.bytes
    }

    private struct Host: JSONWritable {
        let id: String
        let name: String
        let labels: [String: String]

        func write(to json: inout JSONText) {
            json.object { json in
                json.member("id", id)
                json.member("name", name)
                json.member("labels", StringMap(labels))
            }
        }
    }
}
