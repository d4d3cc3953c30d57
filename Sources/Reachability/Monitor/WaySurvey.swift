import EventLoop
import Netlink
import NetworkAddress

/// By which links beside hardware the kernel has a way out: asked apart from the path, a few links a turn, and only where
/// something may have given a link a way or taken it.
///
/// A link gets a way with the message of a route by it, which is believed at once. Without such a message it may get or lose
/// one when it changes itself; and when rules, nexthop objects or routes of no link do, any link may.
struct WaySurvey: ~Copyable {
    /// How long what there is to ask gathers: most links of containers are gone or as they were by then.
    static let delay = Duration.milliseconds(20)
    /// So many links are asked about in one turn, which takes some hundred microseconds.
    private static let slice = 16

    private var socket: RequestSocket
    private let question: PathQuestion
    /// In no order.
    private(set) var pending: Set<UInt32> = []

    init(_ question: PathQuestion) throws(NetlinkError) {
        socket = try RequestSocket()
        self.question = question
    }

    mutating func need(_ index: UInt32) {
        pending.insert(index)
    }

    mutating func need(_ indexes: Set<UInt32>) {
        pending.formUnion(indexes)
    }

    mutating func forget(_ index: UInt32) {
        pending.remove(index)
    }

    /// Asks about some links, or about all.
    ///
    /// - Parameters:
    ///   - ways: The links that have a way, of which those asked about are added or removed.
    ///   - possible: The links that could have one.
    mutating func ask(_ ways: inout Set<UInt32>, of possible: Set<UInt32>, all: Bool = false) {
        repeat {
            let indexes = next(of: possible, &ways)
            socket.beginRound(expecting: indexes.flatMap(question.queries))
            for index in indexes {
                if hasWay(by: index) { ways.insert(index) } else { ways.remove(index) }
            }
        } while all && !pending.isEmpty
    }

    /// The links to be asked about next. Those that cannot have a way are not, and have none.
    private mutating func next(of possible: Set<UInt32>, _ ways: inout Set<UInt32>) -> [UInt32] {
        var indexes: [UInt32] = []
        while indexes.count < Self.slice, let index = pending.popFirst() {
            if possible.contains(index) { indexes.append(index) } else { ways.remove(index) }
        }
        return indexes
    }

    /// Where the kernel fails to answer there may be a way: the derivation of a path asks again.
    private mutating func hasWay(by index: UInt32) -> Bool {
        for query in question.queries(by: index) {
            do throws(NetlinkError) {
                if case .route = try socket.answer(query) { return true }
            } catch {
                return true
            }
        }
        return false
    }
}

extension WaySurvey {
    /// What a change makes worth asking.
    enum Need: Hashable {
        case nothing
        case link(UInt32)
        /// There are routes by these links, or there were.
        case routes(NetlinkNotification.Change, Set<UInt32>)
        case all

        init(_ change: StateChange) {
            switch change.event {
            case .told(.link(.new, let link)):
                self = link.differsInRouting(from: change.previous) ? .link(link.index) : .nothing
            case .told(.address(_, let address)): self = .link(address.index)
            // Those of all links have negative numbers.
            case .told(.netconf(_, let netconf)): self = netconf.index.map { $0 > Int32.max ? .all : .link($0) } ?? .all
            case .told(.route(let change, let route)): self = Need(change, route)
            case .told(.rule), .told(.nexthop): self = .all
            case .told(.link(.deleted, _)), .told(.userOption), .asked, .nameServers, .wireless: self = .nothing
            }
        }

        private init(_ change: NetlinkNotification.Change, _ route: RouteMessage) {
            let indexes = Set(route.nextHops.map(\.outputInterface) + [route.outputInterface].compactMap(\.self))
            // What rejects hides the routes behind it, by whatever link.
            self = indexes.isEmpty || route.type != .unicast ? .all : .routes(change, indexes)
        }
    }
}

extension LinkMessage {
    /// Whether the kernel may take other routes by it than it did.
    fileprivate func differsInRouting(from previous: LinkMessage?) -> Bool {
        guard let previous else { return true }
        return flags != previous.flags || controllerIndex != previous.controllerIndex || group != previous.group
    }
}
