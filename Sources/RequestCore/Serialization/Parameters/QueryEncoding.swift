/// How parameters become a query such as `a%5B%5D=1&a%5B%5D=2`.
///
/// As it stands it writes what AFNetworking writes. The brackets belong to the names and are escaped with them.
public struct QueryEncoding: Hashable, Sendable {
    /// How the members of an array are named.
    public enum ArrayStyle: Hashable, Sendable {
        /// `key[]=a&key[]=b`
        case brackets
        /// `key=a&key=b`
        case none
        /// `key[0]=a&key[1]=b`
        case index
    }

    /// How the members of a dictionary are named.
    public enum NestingStyle: Hashable, Sendable {
        /// `outer[inner]=a`
        case brackets
        /// `outer.inner=a`
        case dots
    }

    /// How true and false are written.
    public enum BooleanStyle: Hashable, Sendable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal
    }

    /// How a null is written.
    public enum NullStyle: Hashable, Sendable {
        /// `key`
        case keyAlone
        /// `key=`
        case empty
        /// Not at all.
        case dropped
    }

    /// How a space is written.
    public enum SpaceStyle: Hashable, Sendable {
        /// `%20`
        case percent
        /// `+`, as HTML forms do.
        case plus
    }

    /// In which order the members of a dictionary come.
    public enum KeyOrder: Hashable, Sendable {
        /// By the Unicode scalars of their names.
        case sorted
        /// As they were given.
        case given
    }

    public var arrays = ArrayStyle.brackets
    public var nesting = NestingStyle.brackets
    public var booleans = BooleanStyle.numeric
    public var nulls = NullStyle.keyAlone
    public var spaces = SpaceStyle.percent
    public var keyOrder = KeyOrder.sorted

    public init() {}

    /// The query of the parameters, without the `?`; empty where there is nothing to write.
    public func query(_ parameters: Parameters) -> String {
        pairs(parameters).map(escaped).joined(separator: "&")
    }

    private func escaped(_ pair: Pair) -> String {
        guard let value = text(of: pair.value) else { return escaped(pair.name) }
        return escaped(pair.name) + "=" + escaped(value)
    }

    private func escaped(_ text: String) -> String {
        let escaped = PercentEncoding.escape(text)
        guard spaces == .plus else { return escaped }
        return escaped.replacing("%20", with: "+")
    }
}
