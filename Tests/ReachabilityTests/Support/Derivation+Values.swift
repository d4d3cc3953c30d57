import Netlink

@testable import Reachability

extension NetworkState {
    init(_ snapshot: Snapshot) {
        self.init()
        _ = replace(with: snapshot)
    }
}

extension PathDerivation {
    init(_ question: PathQuestion, state: NetworkState, surroundings: Surroundings, oracle: any RoutingOracle) {
        let table = LinkTable(state, LinkIndex(state, surroundings.facts), surroundings)
        self.init(question, table, surroundings, oracle)
    }
}
