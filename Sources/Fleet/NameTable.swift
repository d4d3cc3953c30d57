/// Numbers for names that many hosts share: a target, a site.
struct NameTable: Sendable {
    private(set) var names: [String] = []
    private var numbers: [String: UInt32] = [:]

    mutating func number(of name: String) -> UInt32 {
        if let known = numbers[name] { return known }
        let number = UInt32(names.count)
        names.append(name)
        numbers[name] = number
        return number
    }

    subscript(number: UInt32) -> String { names[Int(number)] }
}
