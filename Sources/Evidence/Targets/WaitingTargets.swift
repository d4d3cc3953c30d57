/// The targets whose turn has come while as many questions are under way as may be: the first to come is the first to go, and
/// each stands in line once.
struct WaitingTargets: Sendable {
    private var order: ArraySlice<Int> = []
    private var members: Set<Int> = []

    mutating func join(_ target: Int) {
        if members.insert(target).inserted { order.append(target) }
    }

    mutating func next() -> Int? {
        guard let target = order.popFirst() else { return nil }
        members.remove(target)
        return target
    }
}
