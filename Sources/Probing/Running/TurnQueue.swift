/// What is done a few at a time, one turn of a loop after the other, so that whatever else the loop has to do waits for a
/// few of them at most.
///
/// The caller that is told to begin takes the first turn and, as long as ``endTurn()`` says so, has the loop come back for another.
/// There is one such chain of turns at any time, whatever is added or removed between two of them.
///
/// Inlinable, so that each module that has one has a copy for its elements: without one, to take a report out costs more
/// than to judge it.
@usableFromInline
package struct TurnQueue<Element: Sendable>: Sendable {
    /// How many are done in one turn.
    @usableFromInline let limit: Int
    @usableFromInline var elements: ArraySlice<Element> = []
    /// Whether a turn is under way or to come, which finds what is added meanwhile.
    @usableFromInline var hasTurn = false

    @inlinable
    package init(limit: Int) {
        self.limit = limit
    }

    /// Adds what is to be done; tells whether the caller has to begin with it.
    @inlinable
    package mutating func add(_ new: [Element]) -> Bool {
        elements += new
        guard !hasTurn, !elements.isEmpty else { return false }
        hasTurn = true
        return true
    }

    mutating func removeAll(where isGone: (Element) -> Bool) {
        elements.removeAll(where: isGone)
    }

    /// What is to be done in this turn.
    @inlinable
    package mutating func takeTurn() -> ArraySlice<Element> {
        let part = elements.prefix(limit)
        elements.removeFirst(part.count)
        return part
    }

    /// Whether there has to be another turn.
    @inlinable
    package mutating func endTurn() -> Bool {
        hasTurn = !elements.isEmpty
        if !hasTurn { elements = [] }
        return hasTurn
    }
}
