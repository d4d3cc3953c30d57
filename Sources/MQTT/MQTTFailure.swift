/// Why there is no connection to a broker, or none any more. It holds no secret.
package enum MQTTFailure: Error, Hashable, Sendable {
    /// The library cannot be used, or not so.
    case library(String)
    /// A file of the settings cannot be used.
    case file(String)
    /// The broker cannot be reached.
    case unreachable(Broker, String)
    /// TLS has failed: as a rule the broker's certificate.
    case untrusted(Broker, String)
    /// The broker does not want this client: wrong password, no right, unknown version.
    case refused(Broker, String)
    /// The broker has not answered for so long.
    case silent(Broker, Duration)
    /// The connection stood and has ended.
    case lost(Broker, String)
    /// The broker took the connection and has closed it itself; why, where it says so.
    case closed(Broker, String? = nil)
}

extension MQTTFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .library(let reason): "libmosquitto cannot be used: \(reason)"
        case .file(let reason): reason
        case .unreachable(let broker, let reason): "\(broker) cannot be reached: \(reason)"
        case .untrusted(let broker, let reason): "\(broker) is not trusted: \(reason)"
        case .refused(let broker, let reason): "\(broker) refuses the connection: \(reason)"
        case .silent(let broker, let time): "\(broker) has not answered for \(time.components.seconds) s"
        case .lost(let broker, let reason): "the connection to \(broker) broke off: \(reason)"
        case .closed(let broker, let reason): "\(broker) has closed the connection" + (reason.map { ": \($0)" } ?? "")
        }
    }
}
