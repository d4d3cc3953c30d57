import NetworkAddress

/// What a question is about. Put into words only where it fails, since look-ups are many and failures few.
enum RequestSubject {
    case nothing
    case family(AddressFamily)
    case link(UInt32)
    case name(String)
    case nexthop(UInt32)
    case destination(IPAddress)
    case neighbour(IPAddress, link: UInt32)
}

extension RequestSubject: CustomStringConvertible {
    var description: String {
        switch self {
        case .nothing: ""
        case .family(let family): family.rawValue
        case .link(let index): "link \(index)"
        case .name(let name): name
        case .nexthop(let id): "nexthop \(id)"
        case .destination(let address): "to \(address)"
        case .neighbour(let address, let index): "\(address) on link \(index)"
        }
    }
}
