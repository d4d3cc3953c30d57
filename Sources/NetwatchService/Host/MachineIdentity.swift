package import Netwatch
import RequestEngine

/// Which machine this is, without telling others its machine-id, which is to be kept to itself (machine-id(5)).
package enum MachineIdentity {
    /// What netwatch's hashes of a machine-id are made with. It never changes: the hosts' ids would with it.
    package static let application: [UInt8] = [
        0x6e, 0x1f, 0x0c, 0x5a, 0x9d, 0x27, 0x4b, 0x3e, 0x8a, 0x40, 0x53, 0xd1, 0x77, 0xe2, 0x96, 0xb8,
    ]

    /// Where the id of an installed system is.
    package static let usualPath = "/etc/machine-id"

    /// The id of this machine for netwatch: 32 hexadecimal digits, as `systemd-id128 machine-id --app-specific` makes them
    /// (sd_id128_get_machine_app_specific(3)).
    ///
    /// - Parameters:
    ///   - path: The file of the machine-id.
    ///   - name: What the id is made of where there is no such file, as in many containers.
    package static func id(path: String = usualPath, name: String) -> String {
        hash(key: machineID(path) ?? Array(name.utf8))
    }

    /// The bytes of the machine-id; nil where there is none that can be used.
    private static func machineID(_ path: String) -> [UInt8]? {
        guard let text = try? FileContents.read(path, limit: 128) else { return nil }
        let digits = text.prefix { $0 != UInt8(ascii: "\n") }.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 32, digits.contains(where: { $0 != 0 }) else { return nil }
        return stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private static func hash(key: [UInt8]) -> String {
        var id = Array(SHA256Digest(authenticating: application, key: key).bytes.prefix(16))
        // Marked as an UUID of random numbers, as systemd does.
        id[6] = id[6] & 0x0F | 0x40
        id[8] = id[8] & 0x3F | 0x80
        return id.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension EventOrigin {
    /// This host, in this run.
    ///
    /// - Parameter run: When it began, in seconds since 1970, or a little more: no two have the same.
    package init(_ service: ServiceConfiguration, run: UInt64) {
        let name = StandardStreams.hostName
        self.init(
            id: MachineIdentity.id(name: name), name: service.name ?? name, labels: service.labels,
            epoch: run)
    }

    /// The host in metrics: a label of the owner's has the prefix `label_`, so that it takes the name of no other.
    var family: MetricFamily {
        let own = labels.sorted { $0.key < $1.key }.map { MetricFamily.Label("label_\($0.key)", $0.value) }
        return MetricFamily(
            "netwatch_host_info", .info, help: "Which host it is, and the labels of its configuration.",
            [.init(1, [.init("host_id", id), .init("host_name", name)] + own)])
    }
}
