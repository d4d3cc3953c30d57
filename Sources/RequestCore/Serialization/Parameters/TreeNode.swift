/// What a value has written of itself so far. A class, since a container outlives the call that made it.
final class TreeNode {
    enum Shape {
        case leaf(Parameter)
        case array
        case dictionary
    }

    /// A value that writes nothing is an empty dictionary, as an empty structure is.
    var shape = Shape.dictionary
    private(set) var members: [(name: String, node: TreeNode)] = []

    init(_ leaf: Parameter? = nil) {
        if let leaf { shape = .leaf(leaf) }
    }

    /// Adds a member; one of an array has no name.
    func append(_ member: TreeNode, _ name: String = "") {
        members.append((name, member))
    }

    /// Becomes what another node is.
    func become(_ other: TreeNode) {
        shape = other.shape
        members = other.members
    }

    var parameter: Parameter {
        switch shape {
        case .leaf(let leaf): leaf
        case .array: .array(members.map(\.node.parameter))
        case .dictionary: .dictionary(Parameters(members.map { ($0.name, $0.node.parameter) }))
        }
    }
}
