extension Event {
    /// This event in the place of earlier ones that nobody has read: it leads from where they began, and tells what they
    /// told that is not older than what it tells itself.
    func standing(for earlier: [Event]) -> Event {
        guard let first = earlier.first else { return self }
        var event = self
        let kinds = earlier.map(\.kind)
        event.kind = [Kind.snapshot, .transition].first(where: kinds.contains) ?? kind
        event.from = first.from
        event.resync = resync || earlier.contains(where: \.resync)
        event.skipped = skipped + earlier.reduce(UInt64(earlier.count)) { $0 + $1.skipped }
        event.addTargets(of: earlier)
        return event
    }

    /// Where there are too many targets to tell them all, each event tells others.
    private mutating func addTargets(of earlier: [Event]) {
        guard let omitted = omittedTargets else { return }
        let own = targets.count
        var known = Set(targets.map(\.target))
        for event in earlier.reversed() {
            let new = event.targets.filter { !known.contains($0.target) }
            let names = Set(new.map(\.target))
            targets += new
            probes += event.probes.filter { names.contains($0.target) }
            known.formUnion(names)
        }
        let left = omitted - (targets.count - own)
        omittedTargets = left > 0 ? left : nil
    }
}
