internal import EventLoop

/// An answer that others are asked about before anything is told of it.
struct Inquiry: Sendable {
    enum Kind: Sendable {
        /// Is there a portal, or is it the target's own redirect?
        case portal
        /// Is this host's clock wrong, or one certificate?
        case clock
    }

    let id: UInt64
    let kind: Kind
    let since: MonotonicTime
    /// The targets that answered so.
    private(set) var accused: [Int]
    private var held: Set<Int>
    /// The certificates of the accused: many servers show the same one.
    private(set) var certificates: [UntimelyCertificate]
    /// Those that were asked and have not answered.
    private(set) var witnesses: Set<Int>
    /// Those that were asked over TLS, where no portal answers in another's place, and have not answered.
    private(set) var sealed: Set<Int>
    /// Whether one of them has come as itself: there is no portal then, unless a witness agrees. It may let some through.
    private var isOpposed = false
    private let hadWitnesses: Bool
    private var agreed = 0
    private var contradicted = 0
    /// Of those the ones whose right answer is known: a page in its place satisfies a target that expects none in particular.
    private var (sureAgreed, sureContradicted) = (0, 0)

    init(
        id: UInt64, _ kind: Kind, since: MonotonicTime, accused target: Int, certificate: UntimelyCertificate?,
        witnesses: Set<Int>, sealed: Set<Int>
    ) {
        (self.id, self.kind, self.since) = (id, kind, since)
        (self.witnesses, self.sealed) = (witnesses, sealed)
        (accused, held) = ([target], [target])
        certificates = [certificate].compactMap(\.self)
        hadWitnesses = !witnesses.isEmpty
    }

    mutating func accuse(_ target: Int, _ certificate: UntimelyCertificate?) {
        if held.insert(target).inserted { accused.append(target) }
        if let certificate, !has(certificate) { certificates.append(certificate) }
    }

    func holds(_ target: Int) -> Bool { held.contains(target) }

    /// Takes what one that was asked answers.
    ///
    /// - Parameters:
    ///   - isSure: Whether its right answer is known.
    ///   - sentAt: When it was asked. What was asked before may have been answered before a portal came.
    /// - Returns: Whether there is nothing more to wait for.
    mutating func hear(_ target: Int, _ answer: Answer, isSure: Bool, sentAt: MonotonicTime) -> Bool {
        if sealed.remove(target) != nil {
            isOpposed = isOpposed || (answer == .expected && sentAt >= since)
            return false
        }
        guard witnesses.contains(target), let isSame = isSame(answer) else { return false }
        if isSame { agreed += 1 } else { contradicted += 1 }
        if isSure, isSame { sureAgreed += 1 } else if isSure { sureContradicted += 1 }
        witnesses.remove(target)
        return !isSame || witnesses.isEmpty
    }

    /// Whether an answer is like that of the accused; nil where it says nothing of it.
    private func isSame(_ answer: Answer) -> Bool? {
        switch (kind, answer) {
        case (.clock, .outOfTime(let certificate?)) where has(certificate): nil
        case (_, .wrong(.unexamined)), (_, .wrong(.unverifiable)): nil
        case (.portal, .elsewhere), (.clock, .outOfTime): true
        case (_, .expected), (.portal, .wrong), (.clock, .wrong): false
        default: nil
        }
    }

    private func has(_ certificate: UntimelyCertificate) -> Bool {
        certificates.contains { $0.name == certificate.name }
    }

    /// Whether any has said something of it.
    var isTold: Bool { agreed + contradicted > 0 }

    /// Whether it is a portal, or the clock, and not the accused alone.
    ///
    /// - Parameters:
    ///   - isKnown: Whether the right answer of one of the accused is known, so that none other can be right.
    ///   - isPlain: Whether one of them was asked in plain HTTP, where a portal can answer.
    func isProven(isKnown: Bool, isPlain: Bool) -> Bool {
        switch kind {
        case .portal:
            (sureAgreed > 0 && sureContradicted == 0 && !isOpposed)
                || (contradicted == 0 && (agreed > 0 || (!isOpposed && (isKnown || (isPlain && hadWitnesses)))))
        case .clock: agreed > 0 && contradicted == 0
        }
    }
}
