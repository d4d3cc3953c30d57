internal import FoundationEssentials
internal import JSON

/// What one message tells of a host: its state, an event, or a gap between events.
package struct HostReport: Sendable {
    package enum Kind: Hashable, Sendable {
        /// All of it.
        case snapshot
        /// What has changed.
        case change
        /// Events that are lost.
        case gap
    }

    /// Of more targets in one message nothing is kept.
    package static let mostTargets = 10_000

    package var kind: Kind
    package var epoch: UInt64
    package var seq: UInt64
    package var name: String
    package var labels: [String: String]
    /// When it was published, in seconds since 1970; nil where that cannot be read.
    package var time: Double?
    package var medium = HostMedium.unknown
    package var connectivity = Connectivity.unknown
    /// Whose fault it is that connectivity is less than full.
    package var blame: String?
    package var targets: [(name: String, status: TargetStatus)] = []
    /// What is the case for all targets that are not named; nil for what it was.
    package var others: TargetStatus?

    /// - Parameter json: A message of `PREFIX/HOST/state` or `PREFIX/HOST/events`; nil where it is none.
    package init?(json: [UInt8]) {
        guard let value = try? JSONValue(json: Data(json)), let host = value["host"],
            let name = host["name"]?.stringValue, name.utf8.count <= NameTable.longest,
            let epoch = value["epoch"]?.intValue, let kind = value["kind"]?.stringValue
        else { return nil }
        self.epoch = UInt64(clamping: epoch)
        self.name = name
        labels = Self.table(host["labels"])
        self.kind = kind == "gap" ? .gap : kind == "snapshot" ? .snapshot : .change
        seq = UInt64(clamping: value["seq"]?.intValue ?? 0)
        time = value["time"]?.stringValue.flatMap(Self.seconds)
        medium = value["reachability"]?.stringValue.flatMap(HostMedium.init) ?? .unknown
        connectivity = value["connectivity"]?.stringValue.flatMap(Connectivity.init) ?? .unknown
        blame = value["blame"]?.stringValue
        targets = Self.targets(value["targets"])
        others = value["othersUnknown"]?.boolValue == true ? .unknown : value["othersUp"]?.boolValue == true ? .up : nil
    }

    package init(_ kind: Kind, epoch: UInt64, seq: UInt64, name: String, labels: [String: String] = [:]) {
        self.kind = kind
        self.epoch = epoch
        self.seq = seq
        self.name = name
        self.labels = labels
    }

    private static func targets(_ value: JSONValue?) -> [(name: String, status: TargetStatus)] {
        var targets: [(name: String, status: TargetStatus)] = []
        for target in (value?.arrayValue ?? []).prefix(mostTargets) {
            guard let name = target["target"]?.stringValue, name.utf8.count <= NameTable.longest else { continue }
            targets.append((name: name, status: TargetStatus(target["status"]?.stringValue)))
        }
        return targets
    }

    private static func table(_ value: JSONValue?) -> [String: String] {
        guard let members = value?.objectValue else { return [:] }
        return members.reduce(into: [:]) { table, member in
            if let text = member.value.stringValue { table[member.name] = text }
        }
    }

    /// `2026-11-21T08:41:03.123456Z` in seconds since 1970 (days from civil, Hinnant).
    static func seconds(_ text: String) -> Double? {
        let bytes = Array(text.utf8)
        guard bytes.count == 27, bytes[10] == UInt8(ascii: "T"), bytes[26] == UInt8(ascii: "Z") else { return nil }
        func number(_ range: Range<Int>) -> Int? { Int(String(decoding: bytes[range], as: UTF8.self)) }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), let fraction = number(20..<26)
        else { return nil }
        let early = month <= 2
        let shifted = early ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (early ? 9 : -3)) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return Double(days * 86_400 + hour * 3600 + minute * 60 + second) + Double(fraction) / 1e6
    }
}
