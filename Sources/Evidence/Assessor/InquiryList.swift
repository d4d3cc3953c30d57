internal import EventLoop

/// The inquiries under way: one of each kind at most.
struct InquiryList: Sendable {
    private var open: [Inquiry] = []
    private var last: UInt64 = 0

    subscript(id: UInt64) -> Inquiry? { open.first { $0.id == id } }

    /// Whether the verdict about a target waits for one.
    func hold(_ target: Int) -> Bool { open.contains { $0.holds(target) } }

    func first(of kind: Inquiry.Kind) -> Inquiry? { open.first { $0.kind == kind } }

    /// Adds a target to the inquiry of a kind.
    ///
    /// - Returns: Whether there is one.
    mutating func accuse(_ target: Int, _ kind: Inquiry.Kind, _ certificate: UntimelyCertificate?) -> Bool {
        guard let known = open.firstIndex(where: { $0.kind == kind }) else { return false }
        open[known].accuse(target, certificate)
        return true
    }

    mutating func begin(
        _ kind: Inquiry.Kind, accused target: Int, _ certificate: UntimelyCertificate?, witnesses: Set<Int>,
        sealed: Set<Int>, at now: MonotonicTime
    ) -> UInt64 {
        last += 1
        open.append(
            Inquiry(
                id: last, kind, since: now, accused: target, certificate: certificate, witnesses: witnesses,
                sealed: sealed))
        return last
    }

    /// Takes what a target answers.
    ///
    /// - Returns: The inquiries that need not wait any more.
    mutating func hear(_ target: Int, _ answer: Answer, isSure: Bool, sentAt: MonotonicTime) -> [UInt64] {
        open.indices.filter { open[$0].hear(target, answer, isSure: isSure, sentAt: sentAt) }.map { open[$0].id }
    }

    mutating func end(_ id: UInt64) { open.removeAll { $0.id == id } }

    /// What was asked says nothing.
    mutating func forget() { open = [] }
}
