/// Whose turn it is where things that suspend are to be done one after the other, in the order in which they were asked for.
struct Turns {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Resumes at once where no turn is under way, else after those before.
    mutating func begin(_ next: CheckedContinuation<Void, Never>) {
        guard isTaken else {
            isTaken = true
            return next.resume()
        }
        waiting.append(next)
    }

    mutating func end() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        isTaken = false
    }
}
