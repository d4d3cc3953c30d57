/// Letters beyond ASCII in the letters, digits and hyphens that the name system takes (RFC 3492).
enum Punycode {
    /// A label without its `xn--`; nil where it is too long to be one.
    static func encode(_ label: some Collection<Unicode.Scalar>) -> String? {
        guard label.count <= longestLabel else { return nil }
        let scalars = label.map { Int($0.value) }
        let basic = scalars.filter { $0 < initialScalar }
        var output = String(String.UnicodeScalarView(basic.compactMap { Unicode.Scalar(UInt32($0)) }))
        if !basic.isEmpty { output += "-" }
        var (scalar, delta, bias, written) = (initialScalar, 0, 72, basic.count)
        while written < scalars.count {
            guard let next = scalars.lazy.filter({ $0 >= scalar }).min() else { return nil }
            delta += (next - scalar) * (written + 1)
            scalar = next
            for other in scalars {
                if other < scalar { delta += 1 }
                guard other == scalar else { continue }
                append(delta, bias, to: &output)
                bias = adapted(delta, count: written + 1, isFirst: written == basic.count)
                delta = 0
                written += 1
            }
            delta += 1
            scalar += 1
        }
        return output
    }

    private static let initialScalar = 0x80
    private static let base = 36
    /// Of ASCII; one in Punycode is never shorter than the letters it stands for.
    private static let longestLabel = 63

    /// A number in digits whose weights depend on the bias (section 3.3).
    private static func append(_ delta: Int, _ bias: Int, to output: inout String) {
        var rest = delta
        var weight = base
        while true {
            let threshold = min(26, max(1, weight - bias))
            guard rest >= threshold else { break }
            output.unicodeScalars.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            weight += base
        }
        output.unicodeScalars.append(digit(rest))
    }

    /// `a` to `z`, then `0` to `9`.
    private static func digit(_ value: Int) -> Unicode.Scalar {
        Unicode.Scalar(UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30))
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var steps = 0
        while delta > (base - 1) * 26 / 2 {
            delta /= base - 1
            steps += base
        }
        return steps + base * delta / (delta + 38)
    }
}
