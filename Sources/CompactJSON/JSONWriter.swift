/// The JSON that is written, shared by the containers and encoders that write to it.
final class JSONWriter {
    /// Behind a pointer, because each access to a class's own property costs a check at run time that no other is under
    /// way, and there are hundreds to a line. All of them are within the calls below, none of which calls another.
    private let text: UnsafeMutablePointer<OpenJSON>
    private var fragments: JSONFragments

    init(_ fragments: JSONFragments) {
        self.fragments = fragments
        text = .allocate(capacity: 1)
        text.initialize(to: OpenJSON())
    }

    deinit {
        text.deinitialize(count: 1)
        text.deallocate()
    }

    func finish() -> [UInt8] { text.pointee.finish() }

    func openObject(at depth: Int) -> OpenJSON.Container { text.pointee.open(.object, at: depth) }
    func openArray(at depth: Int) -> OpenJSON.Container { text.pointee.open(.array, at: depth) }

    /// How many values are in a container, the one that is awaited too.
    func count(of container: OpenJSON.Container) -> Int { text.pointee.count(of: container) }

    /// Begins a member of an object; false where it is not open any more.
    func begin(_ key: String, in container: OpenJSON.Container) -> Bool { text.pointee.begin(key, in: container) }

    /// Begins an element of an array; false where it is not open any more.
    func beginElement(in container: OpenJSON.Container) -> Bool { text.pointee.beginElement(in: container) }

    /// Writes the value that is awaited at a depth; false where none is.
    func write(at depth: Int, _ value: (inout ByteBuffer) -> Void) -> Bool { text.pointee.write(at: depth, value) }

    // MARK: Fragments

    func takeFragments() -> JSONFragments {
        defer { fragments = JSONFragments() }
        return fragments
    }

    /// Where values of a type are kept; nil for types that are not.
    func shelf(for type: any Any.Type) -> Int? { fragments.shelf(for: type) }

    /// Writes a value as it was written before; false where it was not.
    func reuse(_ value: some Encodable, from shelf: Int, at depth: Int) -> Bool {
        guard let bytes = fragments.bytes(of: value, on: shelf) else { return false }
        return write(at: depth) { text in bytes.withUnsafeBufferPointer { text.append($0) } }
    }

    /// Where the next value begins.
    var end: Int { text.pointee.end }

    /// Keeps what was written since a place as the JSON of a value.
    func keep(_ value: some Encodable, on shelf: Int, from start: Int, at depth: Int) {
        fragments.put(text.pointee.complete(from: start, at: depth), of: value, on: shelf)
    }
}
