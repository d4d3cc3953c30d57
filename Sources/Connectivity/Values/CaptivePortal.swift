package import EventLoop
public import FoundationEssentials
internal import Reachability

/// What a network says of its own portal (RFC 8908, RFC 8910): the address of the API that it advertises, and what the
/// API answers.
public struct CaptivePortal: Hashable, Sendable, Codable {
    /// The interface of the network.
    public var interface: String
    /// The API's address, as the router or the DHCP server advertises it.
    public var api: String
    /// Whether a person has to do something first; nil while nothing is known.
    public var isCaptive: Bool? = nil
    /// Where (`user-portal-url`).
    public var userPortal: String? = nil
    /// Where there is more about the place (`venue-info-url`).
    public var venueInfo: String? = nil
    package var secondsRemaining: Int? = nil
    /// Why the API gave no answer that can be used, as what stands behind its name in a sentence.
    public var failure: String? = nil
    package var checkedMonotonic: MonotonicTime? = nil

    /// How long the leave that was given lasts (`seconds-remaining`), counted from ``checkedAt``.
    public var remaining: Duration? { secondsRemaining.map { .seconds($0) } }
    /// When the API was last asked.
    public var checkedAt: Date? { checkedMonotonic.map(Date.init) }

    /// The names by which recordings have them.
    private enum CodingKeys: String, CodingKey {
        case interface, api, isCaptive, userPortal, venueInfo, secondsRemaining, failure
        case checkedMonotonic = "checkedAt"
    }

    package init(interface: String, api: String) {
        self.interface = interface
        self.api = api
    }

    /// What a network advertises that has no portal (RFC 8910, section 2).
    static let unrestricted = "urn:ietf:params:capport:unrestricted"

    /// Whether a text is what RFC 8910 lets an API's address be: one of HTTPS, or the word that there is no portal.
    package static func isAddress(_ api: String) -> Bool {
        let isAddress = api.hasPrefix("https://") && api.utf8.count > 8 || api == unrestricted
        return isAddress && api.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}

/// A question to a portal's API, as the reducer wants it asked.
public struct PortalQuestion: Hashable, Sendable, Codable {
    /// Counts the questions of one monitor from 1.
    public var id: UInt64
    /// The interface to ask by.
    public var interface: String
    public var api: String
    public var timeout: Duration
}

/// What became of a question to a portal's API.
public struct PortalAnswer: Hashable, Sendable, Codable {
    public var question: UInt64
    public var portal: CaptivePortal

    public init(question: UInt64, portal: CaptivePortal) {
        self.question = question
        self.portal = portal
    }
}
