/// What a run of a hook prints, as far as it goes to the log: its beginning. A value without a descriptor.
struct HookOutput: Sendable {
    /// So much of it is kept.
    static let most = 4096

    private var bytes: [UInt8] = []
    private var count = 0

    mutating func append(_ piece: some Collection<UInt8>) {
        bytes += piece.prefix(Self.most - bytes.count)
        count += piece.count
    }

    /// A line of the log for each of its own, and one more that tells how much is missing.
    var lines: [String] {
        let lines = bytes.map { $0 == UInt8(ascii: "\t") ? UInt8(ascii: " ") : $0 }.split(separator: UInt8(ascii: "\n"))
            .map {
                DisplayText.safe(String(decoding: $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0, as: UTF8.self))
            }
        return count > bytes.count ? lines + ["… and \(count - bytes.count) bytes more"] : lines
    }
}
