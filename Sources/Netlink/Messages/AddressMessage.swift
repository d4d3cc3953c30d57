public import NetworkAddress

/// An address of a device as told by RTM_NEWADDR and RTM_DELADDR (`linux/if_addr.h`).
public struct AddressMessage: Hashable, Sendable, Codable {
    public var index: UInt32
    /// The address itself; on a point-to-point IPv4 link the local end (IFA_LOCAL).
    public var address: IPAddress
    /// The other end of a point-to-point link, where it differs (IFA_ADDRESS).
    public var peer: IPAddress? = nil
    public var prefixLength: UInt8
    /// RT_SCOPE_*: 0 universe, 253 link, 254 host.
    public var scope: UInt8 = 0
    public var flags: AddressFlags = []
    /// IFA_LABEL, IPv4 only.
    public var label: String? = nil
    /// Seconds the address stays preferred and valid; nil means for ever. Changes alone are not news.
    public var preferredLifetime: UInt32? = nil
    public var validLifetime: UInt32? = nil
    /// When it was last set or renewed, in hundredths of a second since boot. A change of it alone is not news.
    public var updated: UInt32? = nil

    public init(index: UInt32, address: IPAddress, prefixLength: UInt8) {
        self.index = index
        self.address = address
        self.prefixLength = prefixLength
    }
}

/// An address's flags (`IFA_F_*` of `linux/if_addr.h`).
public struct AddressFlags: OptionSet, Hashable, Sendable, Codable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// IFA_F_OPTIMISTIC: usable while duplicate address detection still runs.
    public static let optimistic = AddressFlags(rawValue: 0x04)
    /// IFA_F_DADFAILED: another host has the address.
    public static let duplicateDetected = AddressFlags(rawValue: 0x08)
    /// IFA_F_DEPRECATED.
    public static let deprecated = AddressFlags(rawValue: 0x20)
    /// IFA_F_TENTATIVE: duplicate address detection has not ended.
    public static let tentative = AddressFlags(rawValue: 0x40)
    /// IFA_F_PERMANENT.
    public static let permanent = AddressFlags(rawValue: 0x80)
}
