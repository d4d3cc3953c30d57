/// Numbers for names that many hosts share: a target, a site. None is forgotten, and so there is a bound to them.
struct NameTable: Sendable {
    /// No name that a person has given is longer, in bytes.
    static let longest = 512

    private(set) var names: [String]
    private var numbers: [String: UInt32]
    private let most: Int

    /// A table with the empty name, whose number is 0: what is not known has it.
    ///
    /// - Parameter most: How many names it holds at most.
    init(most: Int) {
        self.most = most
        (names, numbers) = ([""], ["": 0])
    }

    /// - Returns: Nil for a name that is too long, and where there is no room for another.
    mutating func number(of name: String) -> UInt32? {
        guard name.utf8.count <= Self.longest else { return nil }
        if let known = numbers[name] { return known }
        guard names.count < most else { return nil }
        let number = UInt32(names.count)
        names.append(name)
        numbers[name] = number
        return number
    }

    subscript(number: UInt32) -> String { names[Int(number)] }
}
