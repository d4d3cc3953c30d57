/// A page of metrics as a scraper reads it, as far as tests look at it: families with their types, series without values.
struct ExpositionText {
    /// The type of each family.
    private(set) var types: [String: String] = [:]
    /// A series, as it is written: `name{label="value"}`.
    private(set) var series: [String] = []

    init(_ text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            if line.hasPrefix("# TYPE "), words.count == 4 {
                types[String(words[2])] = String(words[3])
            } else if !line.hasPrefix("#"), let end = line.lastIndex(of: " ") {
                series.append(String(line[..<end]))
            }
        }
    }

    /// Each series by its name, the names of its labels and those values that a dashboard chooses by, with its family's type.
    var shapes: Set<String> {
        Set(
            series.map { series in
                let name = String(series.prefix { $0 != "{" })
                let labels = series.matches(of: /([a-z0-9_]+)="([^"]*)"/).map { match in
                    ["phase", "version"].contains(match.1) ? "\(match.1)=\(match.2)" : String(match.1)
                }
                return "\(types[name] ?? "?") \(name){\(labels.sorted().joined(separator: ","))}"
            })
    }
}
