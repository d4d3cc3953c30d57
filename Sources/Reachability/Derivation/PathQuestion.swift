import Netlink
package import NetworkAddress

/// What a monitor wants to know: how packets of a kind leave for some destinations, by which media.
package struct PathQuestion: Hashable, Sendable, Codable {
    package var destinations: [IPAddress]
    package var mark: UInt32?
    package var userID: UInt32?
    package var ipProtocol: UInt8?
    package var destinationPort: UInt16?
    /// The media that count; nil for all.
    package var requiredMedia: Set<Medium>?
    package var prohibitedMedia: Set<Medium>

    package init(
        destinations: [IPAddress] = ReferenceDestination.all, mark: UInt32? = nil, userID: UInt32? = nil,
        ipProtocol: UInt8? = nil, destinationPort: UInt16? = nil, requiredMedia: Set<Medium>? = nil,
        prohibitedMedia: Set<Medium> = []
    ) {
        self.destinations = destinations
        self.mark = mark
        self.userID = userID
        self.ipProtocol = ipProtocol
        self.destinationPort = destinationPort
        self.requiredMedia = requiredMedia
        self.prohibitedMedia = prohibitedMedia
    }

    /// Whether it is about the Internet, which its destinations stand for: none of them is meant itself.
    var isAboutInternet: Bool { destinations == ReferenceDestination.all }

    /// The question to the kernel about one destination, by any device or by one.
    func query(_ destination: IPAddress, by index: UInt32? = nil) -> RouteQuery {
        var query = RouteQuery(destination: destination, outputInterface: index, mark: mark)
        query.userID = userID
        query.ipProtocol = ipProtocol
        query.destinationPort = destinationPort
        return query
    }

    /// The questions about all destinations, by one device.
    func queries(by index: UInt32) -> [RouteQuery] {
        destinations.map { query($0, by: index) }
    }

    func allows(_ medium: Medium) -> Bool {
        !prohibitedMedia.contains(medium) && requiredMedia?.contains(medium) != false
    }
}
