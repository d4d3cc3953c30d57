import TestSupport

/// The host's links, whose traffic the table of situations counts.
struct Wire {
    let host: TestNamespace

    /// What has gone over them, both ways, whatever it was for; nil where no table is written.
    var bytes: Int? {
        guard Row.table != nil, let text = try? host.run("cat", "/proc/net/dev") else { return nil }
        return text.split(separator: "\n").dropFirst(2).reduce(0) { sum, line in
            // The name, then eight counts of what was received, of which bytes are the first, and as many of what was sent.
            let words = line.split { $0 == " " || $0 == ":" }
            guard words.count > 9, words[0] != "lo" else { return sum }
            return sum + (Int(words[1]) ?? 0) + (Int(words[9]) ?? 0)
        }
    }
}
