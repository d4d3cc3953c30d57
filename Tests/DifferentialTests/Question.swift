import NetworkAddress
import Reachability

/// A packet whose way out is asked for: of the monitor by its configuration, of the kernel by the words of `ip route get`.
struct Question: Hashable, Sendable {
    var destination: String
    var mark: UInt32?
    /// The interface that the packet is to leave by.
    var interface: String?

    var words: String {
        destination + (mark.map { " mark \($0)" } ?? "") + (interface.map { " oif \($0)" } ?? "")
    }

    /// The destinations that stand for the Internet come first: the default monitor watches them together.
    static let all: [Question] =
        ReferenceDestination.all.map { Question(destination: "\($0)") } + [
            Question(destination: "9.9.9.9"),
            Question(destination: "10.1.0.77"),
            Question(destination: "2001:db8:1::77"),
            Question(destination: "17.0.0.1", mark: 1),
            Question(destination: "2607:f8b0::1", mark: 1),
        ]

    static var reference: ArraySlice<Question> { all.prefix(ReferenceDestination.all.count) }

    /// Beside each of those, in their order, a place that is under no route to a network of theirs.
    private static let places = ["16.0.0.1", "201.160.0.1", "2707:f8b0::1", "2b00:1450::1"]
    static let besides = places.map { Question(destination: $0) }

    /// The same about the place beside; nil where the destination does not stand for the Internet.
    var beside: Question? {
        Self.reference.firstIndex { $0.destination == destination }.map { index in
            Question(destination: Self.places[index], mark: mark, interface: interface)
        }
    }

    /// The destinations that stand for the Internet, by family.
    static let families: [[Question]] = [AddressFamily.ipv4, .ipv6].map { family in
        reference.filter { $0.family == family }
    }

    /// What is asked about each interface that there may be.
    static let byInterface: [Question] = (OperationGenerator.links + ["x2"]).flatMap { name in
        (Array(reference) + besides).map { Question(destination: $0.destination, interface: name) }
    }

    var configuration: PathMonitor.Configuration {
        var configuration = PathMonitor.Configuration()
        configuration.destinations = [IPAddress(destination)].compactMap(\.self)
        configuration.mark = mark
        return configuration
    }

    var family: AddressFamily { destination.contains(":") ? .ipv6 : .ipv4 }
}
