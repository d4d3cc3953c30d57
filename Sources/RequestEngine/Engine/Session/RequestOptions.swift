import NetworkAddress

/// What a request asks of its session, apart from the message: see ``Request`` for the meaning of each.
///
/// A request is copied several times on its way, and hardly any of this is ever set, so that it stands behind one
/// reference. Whatever of it is added is compared, too, where a request is taken for one like the last.
package struct RequestOptions: Equatable, Sendable {
    var timeouts: Timeouts = Timeouts()
    var maximumBodySize: Int?
    var cutsBody: Bool = false
    var interface: InterfaceBinding?
    var sourceAddress: IPAddress?
    var maximumSegmentSize: Int?
    var family: AddressFamily?
    var addresses: [IPAddress]?
    var proxy: ProxyPolicy?
    var usesCookies: Bool = true
    var usesFreshConnection: Bool = false
    var connectsOnly: Bool = false
    var securityPolicy: SecurityPolicy?
    var acceptsCompression: Bool?
    var credential: Credential?
    var withheldHeaders: Set<String> = []
    var priority: Double = 0.5
    var httpVersion: HTTPVersionPolicy?
    var secrecy = Secrecy()

    /// Options that are never changed: to change is to make another box.
    final class Box: Sendable {
        let options: RequestOptions
        static let standard = Box(RequestOptions())

        init(_ options: RequestOptions) {
            self.options = options
        }
    }
}
