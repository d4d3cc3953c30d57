import RequestEngine

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
        /// As a function says, made with ``custom(_:)``.
        case named(MemberNames<Int>)

        /// As the function says, which is given the array's name and the member's index, and gives the member's name.
        public static func custom(_ name: @escaping @Sendable (_ array: String, _ index: Int) -> String) -> ArrayStyle {
            .named(MemberNames(name))
        }
    }

    /// How the members of a dictionary are named.
    public enum NestingStyle: Hashable, Sendable {
        /// `outer[inner]=a`
        case brackets
        /// `outer.inner=a`
        case dots
        /// As a function says, made with ``custom(_:)``.
        case named(MemberNames<String>)

        /// As the function says, which is given both names, and gives the member's whole name.
        public static func custom(
            _ name: @escaping @Sendable (_ outer: String, _ inner: String) -> String
        ) -> NestingStyle {
            .named(MemberNames(name))
        }
    }

    /// A function that names the members of an array or dictionary. It is equal to itself alone.
    public final class MemberNames<Place>: Hashable, Sendable {
        let name: @Sendable (_ outer: String, _ place: Place) -> String

        init(_ name: @escaping @Sendable (_ outer: String, _ place: Place) -> String) {
            self.name = name
        }

        public static func == (one: MemberNames, other: MemberNames) -> Bool { one === other }

        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
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
    /// The ASCII characters that are written as they are; all others are escaped. Of those that part names and values
    /// (`&`, `=`, `+`, `#`, `%`) none should be among them.
    public var allowedCharacters = PercentEncoding.queryCharacters

    public init() {}

    /// The query of the parameters, without the `?`; empty where there is nothing to write.
    public func query(_ parameters: Parameters) -> String {
        let allowed = ByteSet(allowedCharacters)
        return pairs(parameters).map { escaped($0, allowed) }.joined(separator: "&")
    }

    private func escaped(_ pair: Pair, _ allowed: ByteSet) -> String {
        guard let value = text(of: pair.value) else { return escaped(pair.name, allowed) }
        return escaped(pair.name, allowed) + "=" + escaped(value, allowed)
    }

    private func escaped(_ text: String, _ allowed: ByteSet) -> String {
        let escaped = PercentEncoding.escape(text, allowing: allowed)
        guard spaces == .plus else { return escaped }
        return escaped.replacing("%20", with: "+")
    }
}
