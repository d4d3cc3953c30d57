import NetworkAddress

/// JSON under construction (RFC 8259), in one line and without blanks.
///
/// What is published is written by hand and not by an `Encoder`, because the line of an event is awaited: an encoder's
/// containers, keys and look-ups of types take four times as long. Each type writes its members in the order in which a
/// person reads them.
struct JSONText: ~Copyable {
    var buffer = ByteBuffer(capacity: 8192)
    /// What the wall clock shows beyond the monotonic one, in nanoseconds (modulo 2^64).
    var wallOffset: UInt64 = 0
    /// The members that say whose event it is; none where no reader asks for them.
    var origin: [UInt8] = []

    /// The text so far.
    var bytes: [UInt8] { [UInt8](buffer.bytes) }

    /// Writes an object.
    mutating func object(_ members: (inout JSONText) -> Void) {
        buffer.append(UInt8(ascii: "{"))
        members(&self)
        buffer.append(UInt8(ascii: "}"))
    }

    /// Writes a member.
    mutating func member(_ key: StaticString, _ value: some JSONWritable) {
        buffer.append(key: key)
        value.write(to: &self)
    }

    /// Writes a member; none where there is no value.
    mutating func member(_ key: StaticString, _ value: (some JSONWritable)?) {
        if let value { member(key, value) }
    }

    /// Writes a member that has no value and had one.
    mutating func memberIsNull(_ key: StaticString) {
        buffer.append(key: key)
        buffer.append("null")
    }

    /// Writes whose event it is.
    mutating func memberOrigin() {
        guard !origin.isEmpty else { return }
        buffer.separate()
        let origin = origin
        buffer.append(origin.span)
    }

    /// Writes a member whose key comes from elsewhere.
    mutating func member(named key: String, _ value: some JSONWritable) {
        buffer.separate()
        key.write(to: &self)
        buffer.append(UInt8(ascii: ":"))
        value.write(to: &self)
    }

    mutating func array(_ elements: [some JSONWritable]) {
        buffer.append(UInt8(ascii: "["))
        // Where they lie: a copy of an interface is a dozen references counted up and down.
        let elements = elements.span
        for index in elements.indices {
            buffer.separate()
            elements[index].write(to: &self)
        }
        buffer.append(UInt8(ascii: "]"))
    }
}

/// What has a form in JSON.
protocol JSONWritable {
    func write(to json: inout JSONText)
}
