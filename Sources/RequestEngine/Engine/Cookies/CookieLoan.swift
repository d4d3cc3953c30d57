internal import FoundationEssentials

/// The cookies of a session for one request that has some of its own, without those that have the same names: libcurl would
/// send both (RFC 6265 section 5.4 knows one field, and no name twice of one origin and path).
final class CookieLoan {
    private let jar: CookieJar
    private let copy: CookieJar
    private let lent: Set<String>

    var share: ShareHandle { copy.share }

    /// Nil where no names are the same.
    init?(_ jar: CookieJar, without names: Set<String>, for url: URL) throws(RequestError) {
        let lines = jar.lines
        let now = WallClock.seconds()
        let hidden = lines.filter { line in
            CookieLine(line).map { names.contains($0.name) && $0.goes(to: url, now: now) } ?? false
        }
        guard !hidden.isEmpty else { return nil }
        self.jar = jar
        lent = Set(lines).subtracting(hidden)
        copy = try CookieJar(lines: lines.filter(lent.contains))
    }

    /// Takes over what the answer has changed.
    func giveBack() {
        let now = Set(copy.lines)
        for line in lent.subtracting(now) { jar.remove(line) }
        for line in now.subtracting(lent) { jar.add(line) }
    }
}
