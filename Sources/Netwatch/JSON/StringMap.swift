/// Names with their texts as an object, in the order of the names' bytes.
struct StringMap: JSONWritable {
    private let members: [String: String]

    init(_ members: [String: String]) {
        self.members = members
    }

    func write(to json: inout JSONText) {
        json.object { json in
            for (name, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                json.member(named: name, value)
            }
        }
    }
}
