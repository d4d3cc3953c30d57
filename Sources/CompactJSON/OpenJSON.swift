/// JSON under way: the objects and arrays that are open in it, the outermost first.
///
/// Only the innermost one can be written to. To write to one further out closes those within it, so that no container
/// needs to be told when it ends.
struct OpenJSON: ~Copyable {
    enum Kind {
        case root
        case object
        case array
    }

    /// Names an open container.
    struct Container {
        let depth: Int
        let serial: Int

        /// A container that nothing can be written to.
        static let none = Container(depth: 0, serial: 0)
    }

    private struct Frame {
        let kind: Kind
        /// Tells this container from another that was open at the same depth before.
        let serial: Int
        let start: Int
        let firstMember: Int
        var count = 0
        /// Whether a key was written, or an element announced, and its value not yet.
        var awaitsValue = false
    }

    private var text = ByteBuffer(capacity: 4096)
    private var scratch = ByteBuffer(capacity: 4096)
    private var frames: [Frame] = []
    private var members = ObjectMembers()
    private var lastSerial = 0

    init() {
        frames.reserveCapacity(16)
        push(.root)
        frames[0].awaitsValue = true
    }

    mutating func finish() -> [UInt8] {
        close(to: 1)
        settle()
        return Array(text.bytes)
    }

    // MARK: Containers

    /// Opens a container as the value that is awaited at a depth, or finds the one that was opened there before.
    mutating func open(_ kind: Kind, at depth: Int) -> Container {
        if depth > 0, frames.count > depth, frames[depth].kind == kind {
            return Container(depth: depth + 1, serial: frames[depth].serial)
        }
        guard take(at: depth) else { return .none }
        if kind == .array { text.append(UInt8(ascii: "[")) }
        push(kind)
        return Container(depth: frames.count, serial: lastSerial)
    }

    private mutating func push(_ kind: Kind) {
        lastSerial += 1
        frames.append(Frame(kind: kind, serial: lastSerial, start: text.count, firstMember: members.count))
    }

    func count(of container: Container) -> Int {
        isOpen(container) ? frames[container.depth - 1].count : 0
    }

    private func isOpen(_ container: Container) -> Bool {
        container.depth > 0 && container.depth <= frames.count
            && frames[container.depth - 1].serial == container.serial
    }

    mutating func begin(_ key: String, in container: Container) -> Bool {
        guard isOpen(container) else { return false }
        announce(in: container.depth)
        members.begin(key, &text)
        return true
    }

    mutating func beginElement(in container: Container) -> Bool {
        guard isOpen(container) else { return false }
        announce(in: container.depth)
        if frames[container.depth - 1].count > 1 { text.append(UInt8(ascii: ",")) }
        return true
    }

    private mutating func announce(in depth: Int) {
        close(to: depth)
        settle()
        frames[depth - 1].count += 1
        frames[depth - 1].awaitsValue = true
    }

    // MARK: Values

    mutating func write(at depth: Int, _ value: (inout ByteBuffer) -> Void) -> Bool {
        guard take(at: depth) else { return false }
        value(&text)
        return true
    }

    private mutating func take(at depth: Int) -> Bool {
        guard depth > 0, depth <= frames.count, frames[depth - 1].awaitsValue else { return false }
        close(to: depth)
        frames[depth - 1].awaitsValue = false
        return true
    }

    /// Writes an empty object for a value that has encoded nothing.
    private mutating func settle() {
        guard frames[frames.count - 1].awaitsValue else { return }
        frames[frames.count - 1].awaitsValue = false
        text.append(UInt8(ascii: "{"))
        text.append(UInt8(ascii: "}"))
    }

    /// Where the next value begins.
    var end: Int { text.count }

    /// What was written since a place as a value at a depth, which is complete.
    mutating func complete(from start: Int, at depth: Int) -> [UInt8] {
        close(to: depth)
        settle()
        return Array(text.bytes[start...])
    }

    // MARK: Ends

    /// Closes all that is further in than a depth.
    private mutating func close(to depth: Int) {
        while frames.count > depth {
            settle()
            let frame = frames.removeLast()
            switch frame.kind {
            case .array: text.append(UInt8(ascii: "]"))
            case .object: members.close(from: frame.firstMember, at: frame.start, &text, &scratch)
            case .root: break
            }
        }
    }
}
