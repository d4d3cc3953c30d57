import CNetlink
public import NetworkAddress

/// A filter for the kernel to run on a ``NotificationSocket``: of route messages it passes those about routes that contain
/// one of the watched destinations, and so could answer for it. Everything else passes.
///
/// It is exact, in any table and for pieces of a split default too, and a value: make another where the list changes,
/// and attach it before the next look-up. It relies on one message a datagram, which holds for news and not for dumps.
public struct RouteFilter: Hashable, Sendable {
    /// The watched destinations.
    public let destinations: Set<IPAddress>

    /// How many destinations of a family are told apart. With more of them, all routes of the family pass.
    ///
    /// The kernel charges the program to the socket's option memory, and 20 KiB are all that `net.core.optmem_max` of
    /// Linux 6.1 allows; this many of both families take three quarters of them.
    public static let greatestCount = 64

    public init(destinations: some Sequence<IPAddress>) {
        self.destinations = Set(destinations)
    }

    /// The program, for SO_ATTACH_FILTER.
    var program: [sock_filter] {
        let ipv4 = section(.ipv4)
        let ipv6 = section(.ipv6)
        return [
            .loadHalf(Offset.type),
            .skip(2, ifEqual: Self.networkOrder(RTM_NEWROUTE)),
            .skip(1, ifEqual: Self.networkOrder(RTM_DELROUTE)),
            .pass,
            .loadByte(Offset.family),
            .skip(3, ifEqual: UInt32(AddressFamily.ipv4.kernelValue)),
            .skip(1, ifEqual: UInt32(AddressFamily.ipv6.kernelValue)),
            .pass,
            .skip(ipv4.count),
        ] + ipv4 + ipv6
    }

    /// The numbers of the words that an address of a family has.
    private static func words(of family: AddressFamily) -> Range<Int> { 0..<family.bitWidth / 32 }

    private func isOpen(_ family: AddressFamily) -> Bool {
        destinations.count { $0.family == family } > Self.greatestCount
    }

    private func section(_ family: AddressFamily) -> [sock_filter] {
        guard !isOpen(family) else { return [.pass] }
        // Sorted, so that equal lists make equal programs.
        let words = destinations.filter { $0.family == family }.map(Self.words)
            .sorted { $0.lexicographicallyPrecedes($1) }
        return Self.findDestination(family) + Self.makeMasks(family) + words.flatMap(Self.comparison) + [.drop]
    }

    // MARK: Program

    /// Where things are in a route message: `struct nlmsghdr`, then `struct rtmsg`, then the attributes.
    private enum Offset {
        static let type: UInt32 = 4
        static let family: UInt32 = 16
        static let destinationLength: UInt32 = 17
        static let attributes: UInt32 = 28
        static let attributeHeader: UInt32 = 4
    }

    /// The scratch memory: four words of the route's destination, four of the mask that its length makes, the length.
    private enum Slot {
        static let word = 0
        static let mask = 4
        static let length = 8
    }

    /// The filter reads in network byte order, the kernel writes in its own.
    private static func networkOrder(_ type: Int) -> UInt32 {
        UInt32(UInt16(type).bigEndian)
    }

    /// Stores length and destination. A default route passes at once, and so does what cannot be a route.
    private static func findDestination(_ family: AddressFamily) -> [sock_filter] {
        [
            .loadByte(Offset.destinationLength),
            .skip(2, ifEqual: 0),
            .skip(1, ifGreaterThan: UInt32(family.bitWidth)),
            .skip(1),
            .pass,
            .store(to: Slot.length),
            .load(Offset.attributes),
            .loadX(UInt32(RTA_DST.rawValue)),
            .findAttribute,
            .skip(1, unlessEqual: 0),
            .pass,
            .tax,
        ]
            + Self.words(of: family).flatMap { word in
                [.loadWord(atXPlus: Offset.attributeHeader + UInt32(4 * word)), .store(to: Slot.word + word)]
            }
    }

    /// Stores, for each word, the mask of those of its bits that the prefix length covers.
    private static func makeMasks(_ family: AddressFamily) -> [sock_filter] {
        Self.words(of: family).flatMap { word in mask(of: word) }
    }

    private static func mask(of word: Int) -> [sock_filter] {
        let first = UInt32(32 * word)
        return [
            .load(from: Slot.length),
            .skip(2, ifGreaterThan: first),
            .load(0),
            .skip(10),
            .subtract(first),
            .skip(5, ifGreaterThan: 31),
            // 1 to 31 bits: all ones, shifted left by the rest.
            .tax,
            .load(32),
            .subtractX,
            .tax,
            .skip(1),
            .loadX(0),
            .load(.max),
            .shiftLeftByX,
            .store(to: Slot.mask + word),
        ]
    }

    /// Passes where all words are equal under their masks, and otherwise goes on behind itself.
    private static func comparison(with words: [UInt32]) -> [sock_filter] {
        let stepLength = 5
        return words.enumerated().flatMap { word, value -> [sock_filter] in
            let left = stepLength * (words.count - 1 - word) + 1
            return [
                .load(from: Slot.word + word), .xor(value), .loadX(from: Slot.mask + word), .andX,
                .skip(left, unlessEqual: 0),
            ]
        } + [.pass]
    }

    /// An address in words of 32 bits, the first one the highest.
    private static func words(of address: IPAddress) -> [UInt32] {
        switch address {
        case .v4(let address): [address.rawValue]
        case .v6(let address): (0..<4).map { UInt32(truncatingIfNeeded: address.rawValue >> (96 - 32 * $0)) }
        }
    }
}
