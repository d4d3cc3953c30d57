extension Parameter {
    /// A standard type that is written as one value.
    protocol Leaf {
        var asParameter: Parameter { get }
    }
}

extension Bool: Parameter.Leaf {
    var asParameter: Parameter { .bool(self) }
}

extension String: Parameter.Leaf {
    var asParameter: Parameter { .string(self) }
}

extension Double: Parameter.Leaf {
    var asParameter: Parameter { .number(self) }
}

extension Float: Parameter.Leaf {
    /// By its own digits, so that 0.1 does not become 0.10000000149011612.
    var asParameter: Parameter { .number(Double(description) ?? Double(self)) }
}

extension Parameter.Leaf where Self: BinaryInteger {
    var asParameter: Parameter { Parameter(self) }
}

extension Int: Parameter.Leaf {}
extension Int8: Parameter.Leaf {}
extension Int16: Parameter.Leaf {}
extension Int32: Parameter.Leaf {}
extension Int64: Parameter.Leaf {}
extension UInt: Parameter.Leaf {}
extension UInt8: Parameter.Leaf {}
extension UInt16: Parameter.Leaf {}
extension UInt32: Parameter.Leaf {}
extension UInt64: Parameter.Leaf {}
