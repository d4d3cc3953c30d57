import Foundation

/// What a reader of a hundred thousand hosts costs, what a host does that is cut off while ten thousand events come, and fifty hosts
/// over brokers that are killed. The scripts are those of the tests, for longer and with more hosts.
struct Fleet {
    var program: String
    var seconds: Int
    var hosts = 100_000

    func measure() throws -> [Figure] {
        try crowd() + offline() + trial()
    }

    private func crowd() throws -> [Figure] {
        let found = try run("fleet-crowd", "Tests/CommandTests/Traces/probes.lines", "--hosts", "\(hosts)")
        let name = "fleet of \(hosts) hosts"
        return [
            Figure(name, "time to the first table", found["first_table_s"], "s"),
            Figure(name, "memory a host", found["bytes_a_host"], "bytes"),
            Figure(name, "events followed, the broker beside it", found["events_a_second"] / 1000, "thousand/s"),
            Figure(
                name, "events followed a second of processor time", found["events_a_second_of_processor"] / 1000,
                "thousand/s"),
            Figure(name, "all known anew after the broker's restart", found["restart_s"], "s"),
        ]
    }

    private func offline() throws -> [Figure] {
        let found = try run("fleet-offline", "--events", "10000")
        let name = "10,000 events without a broker"
        return [
            Figure(name, "growth of memory", (found["resident_kB_most"] - found["resident_kB_first"]) / 1024, "MiB"),
            Figure(name, "missing afterwards", found["missing"], "events").aiming(atMost: 0),
            Figure(name, "sent after", found["waited_and_sent_s"], "s"),
        ]
    }

    private func trial() throws -> [Figure] {
        let found = try run("fleet-trial", "--hosts", "50", "--seconds", "\(seconds)", "--heartbeat", "10")
        let name = "50 hosts for \(seconds) s"
        return [
            Figure(name, "events that arrived", found["events"], "events"),
            Figure(name, "brokers killed", found["brokers_killed"], "times"),
            Figure(name, "hosts cut off", found["hosts_cut"], "times"),
            Figure(name, "a host cut off is told after, at most", found["told_after_most"], "s").aiming(atMost: 30),
        ]
    }

    /// - Throws: ``BenchmarkError`` with what the script found wrong.
    private func run(_ script: String, _ arguments: String...) throws -> Found {
        let text = try command(["/usr/bin/python3", "Tests/Support/Scripts/\(script).py", program] + arguments)
        let line = text.split(separator: "\n").last.map { String($0) } ?? ""
        guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
            throw BenchmarkError.unexpected("\(script) printed \(line)")
        }
        return Found(object: object)
    }

    private struct Found {
        let object: [String: Any]

        subscript(name: String) -> Double { (object[name] as? NSNumber)?.doubleValue ?? .nan }
    }
}
