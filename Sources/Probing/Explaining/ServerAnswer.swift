internal import NetworkAddress
internal import Resolver
internal import SystemPackage

/// What one name server does with a question, asked without a resolver between: whether it is there, and what it says.
struct ServerAnswer: Sendable {
    let server: NameServer
    let outcome: Outcome
    /// Whether it finds an answer where it may not check its signatures (CD, RFC 4035); nil where that was not asked.
    var answersUnchecked: Bool?
    /// The family for whose addresses it answers, where it is silent about those that were asked for.
    var answered: AddressFamily?

    enum Outcome: Hashable, Sendable {
        /// It answered, with this code (RFC 1035, section 4.1.1).
        case code(UInt8)
        /// It has more to answer than a datagram holds: it is to be asked by TCP (TC, RFC 1035, section 4.2.1).
        case cutShort
        /// Nothing came back.
        case silent
        /// The host answered that nothing listens there, or the network that it cannot be reached.
        case failed(Errno)
    }

    var code: UInt8? {
        if case .code(let code) = outcome { code } else { nil }
    }

    /// Whether it says whether the name is there.
    var knows: Bool { code == 0 || code == Self.noSuchName || answered != nil }

    /// Whether it has answered, whatever it says.
    var isHeard: Bool {
        switch outcome {
        case .code, .cutShort: true
        case .silent, .failed: answered != nil
        }
    }

    /// Whether nothing has come from the server itself.
    var isMissing: Bool {
        guard answered == nil else { return false }
        return switch outcome {
        case .silent, .failed(.noRouteToHost), .failed(.networkUnreachable): true
        case .code, .cutShort, .failed: false
        }
    }

    static let serverFailure: UInt8 = 2
    static let noSuchName: UInt8 = 3
    static let refused: UInt8 = 5

    /// The name of a code, as dig prints it.
    static func word(_ code: UInt8) -> String {
        switch code {
        case 0: "NOERROR"
        case 1: "FORMERR"
        case serverFailure: "SERVFAIL"
        case noSuchName: "NXDOMAIN"
        case 4: "NOTIMP"
        case refused: "REFUSED"
        default: "code \(code)"
        }
    }
}
