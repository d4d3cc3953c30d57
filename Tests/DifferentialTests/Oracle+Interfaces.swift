import NetworkAddress
import Reachability

/// What is to be said of each interface, and of what lies under it.
extension Oracle {
    /// Whether packets to any of these could leave by an interface, if they were told to.
    func isUsable(_ name: String, to questions: some Sequence<Question>) -> Bool {
        guard isOperational(name) else { return false }
        return questions.contains { question in
            var asked = question
            asked.interface = name
            if detail(asked, by: name) != nil { return true }
            // What stands for the Internet is turned away by itself, while a general route leads beside it.
            guard isRejected(asked) || isRejected(question), let beside = asked.beside else { return false }
            return detail(beside, by: name) == 0
        }
    }

    /// How special the route is by which packets could leave that are told to leave by an interface; nil where they
    /// could not.
    private func detail(_ asked: Question, by name: String) -> Int? {
        guard case .route(let taken)? = view.taken[asked], case .route(let matched)? = view.matched[asked] else {
            return nil
        }
        let legs = legs(matched, taken)
        guard let leg = legs.first(where: { $0.dev == name }) ?? legs.first else { return nil }
        return isAlive(leg) && isSource(taken.prefsrc, of: asked) ? detail(matched) : nil
    }

    /// Whether an interface has to be listed among the ways out: it is not a port, has an address that others can
    /// answer to, and could carry traffic.
    func isListed(_ name: String) -> Bool {
        guard let link = view.links[name], link.master == nil else { return false }
        let isAddressed = link.addr_info?.contains { $0.local?.hasPrefix("fe80:") == false } == true
        return isAddressed && Question.families.contains { isUsable(name, to: $0) }
    }

    /// The chain down to what carries the packets.
    func chain(of name: String) -> [String] {
        guard let link = view.links[name] else { return [name] }
        switch link.linkinfo?.info_kind {
        case "macvlan": return [name] + (link.link.map(chain) ?? [])
        case "bridge":
            return [name] + (uplinkPort(of: name).map(chain) ?? [])
        default: return [name]
        }
    }
}
