/// Numbers in the order of their last mention: the latest first, those that were put last at the end. Each step costs the
/// same however many there are.
struct RecencyList: Sendable {
    private struct Link {
        var before: Int?
        var after: Int?
    }

    private var links: [Int: Link] = [:]
    private(set) var first: Int?
    private var last: Int?

    func after(_ member: Int) -> Int? { links[member]?.after }

    mutating func moveToFront(_ member: Int) {
        guard first != member else { return }
        remove(member)
        links[member] = Link(before: nil, after: first)
        if let first { links[first]?.before = member } else { last = member }
        first = member
    }

    mutating func moveToEnd(_ member: Int) {
        guard last != member else { return }
        remove(member)
        links[member] = Link(before: last, after: nil)
        if let last { links[last]?.after = member } else { first = member }
        last = member
    }

    mutating func remove(_ member: Int) {
        guard let link = links.removeValue(forKey: member) else { return }
        if let before = link.before { links[before]?.after = link.after } else { first = link.after }
        if let after = link.after { links[after]?.before = link.before } else { last = link.before }
    }
}
