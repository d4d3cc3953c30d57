import RequestEngine

/// Members written under names.
struct KeyedTreeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: TreeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) throws {
        write(TreeNode(.null), key)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        write(try encoder.nested(key).encode(node: value), key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        member(key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        member(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        member(TextKey(stringValue: "super"))
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        member(key)
    }

    private func member(_ key: some CodingKey) -> TreeEncoder {
        let member = encoder.nested(key)
        write(member.node, key)
        return member
    }

    private func write(_ member: TreeNode, _ key: some CodingKey) {
        encoder.node.append(member, encoder.style.name(of: key))
    }
}

/// Members written one after another.
struct UnkeyedTreeContainer: UnkeyedEncodingContainer {
    let encoder: TreeEncoder
    var count: Int { encoder.node.members.count }
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() throws {
        write(TreeNode(.null))
    }

    func encode(_ value: some Encodable) throws {
        write(try encoder.nested(Index(count)).encode(node: value))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        member().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        member().unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        member()
    }

    private func member() -> TreeEncoder {
        let member = encoder.nested(Index(count))
        write(member.node)
        return member
    }

    private func write(_ member: TreeNode) {
        encoder.node.append(member)
    }

    private struct Index: CodingKey {
        let intValue: Int?
        var stringValue: String { intValue?.description ?? "" }
        init(_ index: Int) { intValue = index }
        init?(stringValue: String) { nil }
        init?(intValue: Int) { self.init(intValue) }
    }
}

/// One value that stands for the whole.
struct SingleTreeContainer: SingleValueEncodingContainer {
    let encoder: TreeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() throws {
        encoder.node.become(TreeNode(.null))
    }

    func encode(_ value: some Encodable) throws {
        encoder.node.become(try encoder.encode(node: value))
    }
}
