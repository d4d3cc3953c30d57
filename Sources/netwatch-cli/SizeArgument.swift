import ArgumentParser

/// Sizes on the command line: `500K`, `64M`, `2G` in powers of 1024; a number alone is in bytes.
enum SizeArgument {
    private static let units: [(suffix: String, bytes: Double)] = [
        ("K", 1024), ("M", 1_048_576), ("G", 1_073_741_824), ("T", 1_099_511_627_776), ("", 1),
    ]

    @Sendable static func parse(_ text: String) throws -> Int {
        for (suffix, bytes) in units where text.uppercased().hasSuffix(suffix) {
            guard let number = Double(text.dropLast(suffix.count)), number * bytes >= 1, number * bytes <= 1e15
            else { break }
            return Int(number * bytes)
        }
        throw ValidationError("write a size such as 500K, 64M or 2G, more than nothing and no more than 900T")
    }
}
