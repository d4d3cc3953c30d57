/// The link that every packet of a connection must leave by.
///
/// It is set on the socket and read back before anything is sent; a kernel that refuses it fails the request, which is
/// never sent another way. Names are looked up outside of the binding: give `Request.addresses` where that matters.
public enum InterfaceBinding: Hashable, Sendable {
    /// By name (`SO_BINDTODEVICE`, socket(7)); needs no privilege since Linux 5.7.
    case name(String)
    /// By index (`SO_BINDTOIFINDEX`), which a renamed link keeps.
    case index(Int)
}

extension InterfaceBinding: CustomStringConvertible {
    public var description: String {
        switch self {
        case .name(let name): name
        case .index(let index): "interface \(index)"
        }
    }
}
