import Foundation
import TestSupport

/// The kernel's own account of links, addresses and ways out, as `ip` prints it.
struct KernelView {
    enum Answer: Hashable {
        case route(Route)
        /// What `ip` says on an error.
        case failure(String)
    }

    struct Route: Hashable, Decodable {
        var dst: String
        var gateway: String?
        var via: Via?
        var dev: String?
        var prefsrc: String?
        var table: String?
        var metric: UInt32?
        var flags: [String]?
        var nhid: UInt32?
        var nexthops: [Leg]?
    }

    struct Leg: Hashable, Decodable {
        var dev: String?
        var gateway: String?
        var via: Via?
        var flags: [String]?
    }

    struct Via: Hashable, Decodable {
        var family: String
        var host: String
    }

    struct Link: Hashable, Decodable {
        struct Kind: Hashable, Decodable { var info_kind: String? }
        struct Address: Hashable, Decodable {
            var family: String
            var local: String?
            var tentative: Bool?
            var dadfailed: Bool?
        }
        var ifname: String?
        var ifindex: UInt32?
        var link: String?
        var link_netnsid: Int?
        var master: String?
        var operstate: String?
        var flags: [String]?
        var linkinfo: Kind?
        var addr_info: [Address]?
    }

    struct NextHop: Hashable, Decodable {
        struct Member: Hashable, Decodable { var id: UInt32 }
        var id: UInt32
        var dev: String?
        var gateway: String?
        var flags: [String]?
        var group: [Member]?
    }

    private(set) var links: [String: Link] = [:]
    private(set) var nexthops: [UInt32: NextHop] = [:]
    /// How many routes lead over a nexthop object, themselves or by a group that it is in.
    private(set) var users: [UInt32: Int] = [:]
    /// The plain look-up: the way this packet takes.
    private(set) var taken: [Question: Answer] = [:]
    /// The entry of the forwarding information base that matches it.
    private(set) var matched: [Question: Answer] = [:]

    /// What `ip` is asked, a line each, for the answers that this is made from.
    static func batch(_ questions: [Question]) -> [String] {
        ["address show", "nexthop show", "route show table all"]
            + questions.flatMap { ["route get \($0.words)", "route get fibmatch \($0.words)"] }
    }

    /// - Parameter result: What `ip` printed: the addresses, the nexthop objects, and two answers to each question.
    init(_ result: Command.Outcome, questions: [Question]) throws {
        var lines = result.output.split(separator: "\n").map { Data($0.utf8) }[...]
        guard let links = lines.popFirst(), let nexthops = lines.popFirst(), let routes = lines.popFirst() else {
            throw Malformed(result: result)
        }
        let decoder = JSONDecoder()
        for link in try decoder.decode([Link].self, from: links) {
            if let name = link.ifname { self.links[name] = link }
        }
        for nexthop in try decoder.decode([NextHop].self, from: nexthops) { self.nexthops[nexthop.id] = nexthop }
        for route in try decoder.decode([Route].self, from: routes) {
            for id in objects(of: route) { users[id, default: 0] += 1 }
        }
        let failures = Self.failures(result.errors)
        for (number, question) in questions.enumerated() {
            let line = number * 2 + 4
            taken[question] = try Self.answer(line, failures, &lines, decoder, result)
            matched[question] = try Self.answer(line + 1, failures, &lines, decoder, result)
        }
    }

    /// The nexthop objects with a way out of their own that a route leads over.
    func objects(of route: Route) -> Set<UInt32> {
        guard let id = route.nhid else { return [] }
        return Set(nexthops[id]?.group?.map(\.id) ?? [id])
    }

    /// A line of the batch either failed, and the complaint names it, or is the next to have printed something.
    private static func answer(
        _ line: Int, _ failures: [Int: String], _ printed: inout ArraySlice<Data>, _ decoder: JSONDecoder,
        _ result: Command.Outcome
    ) throws -> Answer {
        if let failure = failures[line] { return .failure(failure) }
        guard let text = printed.popFirst(), let route = try decoder.decode([Route].self, from: text).first else {
            throw Malformed(result: result)
        }
        return .route(route)
    }

    private static func failures(_ text: String) -> [Int: String] {
        var failures: [Int: String] = [:]
        var complaint = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("Command failed"), let number = line.split(separator: ":").last.flatMap({ Int($0) }) {
                failures[number] = complaint
            } else {
                complaint = String(line)
            }
        }
        return failures
    }

    /// `ip` answered fewer questions than it was asked.
    struct Malformed: Error {
        var result: Command.Outcome
    }
}
