import NetworkAddress

/// What the plain look-up told last, and which entry it was about.
///
/// IPv4 takes leg and source from the entry alone: packets to two destinations behind an entry with one leg leave alike, and
/// the second need not be asked about. IPv6 chooses the source by the destination too (RFC 6724, section 5).
struct ChosenWay: Sendable {
    private let query: RouteQuery
    private let match: RouteMessage
    private let way: RouteMessage

    init(_ way: RouteMessage, for query: RouteQuery, by match: RouteMessage) {
        self.way = way
        self.query = query
        self.match = match
    }

    /// The way to another destination by the same entry; nil where that has to be asked.
    func way(for query: RouteQuery, by match: RouteMessage) -> RouteMessage? {
        guard query.destination.family == .ipv4, match.nextHops.isEmpty, match == self.match else { return nil }
        var (same, way) = (query, way)
        same.destination = self.query.destination
        guard same == self.query, let destination = IPPrefix(query.destination, length: way.destination.length)
        else { return nil }
        way.destination = destination
        return way
    }
}
