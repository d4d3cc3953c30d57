public import NetworkAddress

/// A policy rule as told by RTM_NEWRULE and RTM_DELRULE (`ip-rule(8)`, `linux/fib_rules.h`).
///
/// The kernel is asked for routes and applies the rules itself; a rule's message only says when to ask again.
public struct RuleMessage: Hashable, Sendable, Codable {
    public var family: AddressFamily
    public var priority: UInt32
    public var table: UInt32
    /// FR_ACT_*.
    public var action: UInt8
    public var source: IPPrefix? = nil
    public var destination: IPPrefix? = nil
    public var mark: UInt32? = nil
    public var mask: UInt32? = nil
    public var inputInterface: String? = nil
    public var outputInterface: String? = nil
    /// The type of service that it asks for; nil for any.
    public var typeOfService: UInt8? = nil
    /// The users whose packets are meant.
    public var userIDs: ClosedRange<UInt32>? = nil
    public var ipProtocol: UInt8? = nil
    public var sourcePorts: ClosedRange<UInt16>? = nil
    public var destinationPorts: ClosedRange<UInt16>? = nil
    /// The rule passes over routes with a prefix of this length or a shorter one (`suppress_prefixlength`).
    public var suppressedLength: UInt32? = nil
    /// The rule passes over routes by a link of this group (`suppress_ifgroup`).
    public var suppressedGroup: UInt32? = nil
    /// FIB_RULE_INVERT (`not`).
    public var isInverted: Bool = false

    public init(family: AddressFamily, priority: UInt32, table: UInt32, action: UInt8) {
        self.family = family
        self.priority = priority
        self.table = table
        self.action = action
    }

    /// FR_ACT_TO_TBL (`linux/fib_rules.h`).
    private static let toTable: UInt8 = 1

    /// The tables that every host has: RT_TABLE_DEFAULT, RT_TABLE_MAIN and RT_TABLE_LOCAL.
    package static let systemTables: ClosedRange<UInt32> = 253...255

    /// Whether it has its table looked at, and does not decide by itself.
    package var leadsToTable: Bool { action == Self.toTable }
}
