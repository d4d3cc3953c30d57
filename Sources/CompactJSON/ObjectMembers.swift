/// The members of all objects that are open. Their keys stand bare before their values until an object is closed, when its
/// members are put in order.
struct ObjectMembers {
    private struct Member {
        let start: Int
        let keyEnd: Int
        var end = 0
        /// The first eight bytes of the key as a number, which nearly always tells two keys apart.
        let rank: UInt64
    }

    private var members: [Member] = []

    init() {
        members.reserveCapacity(64)
    }

    var count: Int { members.count }

    /// Writes a key. What is written next is its value.
    mutating func begin(_ key: String, _ bytes: inout ByteBuffer) {
        let start = bytes.count
        var key = key
        let rank = key.withUTF8 { key in
            bytes.append(key)
            return Self.rank(key)
        }
        members.append(Member(start: start, keyEnd: bytes.count, rank: rank))
    }

    private static func rank(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var rank: UInt64 = 0
        for index in 0..<8 { rank = rank << 8 | (index < key.count ? UInt64(key[index]) : 0) }
        return rank
    }

    /// Writes an object of the members since one, in order, in the place where they stand. Of two with the same key the
    /// later stands.
    mutating func close(from first: Int, at start: Int, _ bytes: inout ByteBuffer, _ scratch: inout ByteBuffer) {
        delimit(from: first, end: bytes.count)
        sort(from: first, bytes.bytes)
        scratch.truncate(to: 0)
        scratch.append(UInt8(ascii: "{"))
        write(from: first, bytes.bytes, to: &scratch)
        scratch.append(UInt8(ascii: "}"))
        members.removeSubrange(first...)
        bytes.truncate(to: start)
        bytes.append(scratch.bytes)
    }

    private func write(from first: Int, _ bytes: UnsafeBufferPointer<UInt8>, to text: inout ByteBuffer) {
        for index in first..<members.count {
            let member = members[index]
            if index + 1 < members.count, !isOrdered(member, before: members[index + 1], bytes) { continue }
            if text.count > 1 { text.append(UInt8(ascii: ",")) }
            JSONText.append(UnsafeBufferPointer(rebasing: bytes[member.start..<member.keyEnd]), to: &text)
            text.append(UInt8(ascii: ":"))
            text.append(UnsafeBufferPointer(rebasing: bytes[member.keyEnd..<member.end]))
        }
    }

    /// Notes where the members end: where the next begins.
    private mutating func delimit(from first: Int, end: Int) {
        for index in first..<members.count {
            members[index].end = index + 1 < members.count ? members[index + 1].start : end
        }
    }

    /// By insertion, since an object has few members, and equal keys must stay in their order.
    private mutating func sort(from first: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
        for index in first..<members.count {
            let member = members[index]
            var place = index
            while place > first, isOrdered(member, before: members[place - 1], bytes) {
                members[place] = members[place - 1]
                place -= 1
            }
            members[place] = member
        }
    }

    private func isOrdered(
        _ member: Member, before other: Member, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard member.rank == other.rank else { return member.rank < other.rank }
        return bytes[member.start..<member.keyEnd].lexicographicallyPrecedes(bytes[other.start..<other.keyEnd])
    }
}
