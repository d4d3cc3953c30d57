import FoundationEssentials
import JSON

/// What a collector says of a request that it took in part only (OTLP, "Partial Success"): it is not to be sent again.
struct PartialSuccess: Hashable, Sendable {
    /// How many data points or records were refused; none with a message is a warning.
    let refused: Int
    let message: String

    /// Reads an answer; nil where that says of nothing that it was not taken.
    init?(_ body: Data) {
        guard let part = try? JSONValue(json: body)["partialSuccess"] else { return nil }
        let counts = ["rejectedLogRecords", "rejectedDataPoints"].compactMap { part[$0] }
        // 64 bits are texts in the JSON of Protocol Buffers, and some write numbers.
        refused = counts.lazy.compactMap { $0.intValue ?? $0.stringValue.flatMap { Int($0) } }.first { $0 > 0 } ?? 0
        message = part["errorMessage"]?.stringValue ?? ""
        guard refused > 0 || !message.isEmpty else { return nil }
    }

    /// - Parameter things: What was sent.
    func words(of things: String) -> String {
        let verb = refused == 1 ? "was" : "were"
        let what = refused > 0 ? "\(refused) of the \(things) \(verb) refused" : "a warning about \(things)"
        return message.isEmpty ? what : "\(what): \(message)"
    }
}
