/// XML from servers: read in pieces as events, or whole as a tree. No entity is declared or loaded, and depth is bounded.
public enum XML {
    /// The name of an element or attribute (Namespaces in XML 1.0).
    public struct Name: Hashable, Sendable {
        public let local: String
        public let prefix: String?
        /// The URI that the prefix, or its absence, stands for.
        public let namespace: String?

        public init(_ local: String, prefix: String? = nil, namespace: String? = nil) {
            self.local = local
            self.prefix = prefix
            self.namespace = namespace
        }
    }

    public struct Attribute: Hashable, Sendable {
        public let name: Name
        public let value: String

        public init(name: Name, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What comes next in a document.
    public enum Event: Hashable, Sendable {
        case start(Name, [Attribute])
        case end(Name)
        /// A piece of text. One text may come in several pieces.
        case text(String)
        case comment(String)
        case processingInstruction(target: String, data: String)
    }

    /// Why a text is not taken for XML.
    public enum Failure: Error, Hashable, Sendable {
        /// Not one byte, or nothing but white space.
        case empty
        /// The text breaks the grammar: where, counted from 1, and libxml2's explanation.
        case malformed(line: Int, column: Int, String)
        /// Elements are nested deeper than this.
        case tooDeep(limit: Int)
        /// A tree would have more nodes than this.
        case tooLarge(limit: Int)
        /// The document declares an entity, which could grow beyond measure or name a file.
        case entityDeclared(String)
        /// The document declares that elements have this attribute where they do not say so, which makes any number of them long.
        case attributeDefaulted(String)
        /// The document uses an entity that is not one of XML's own five.
        case unknownEntity(String)
        /// libxml2 could not be set up: no memory is left.
        case outOfMemory
    }
}

extension XML.Name: CustomStringConvertible {
    public var description: String { prefix.map { "\($0):\(local)" } ?? local }
}

extension XML.Failure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "the document is empty"
        case .malformed(let line, let column, let explanation): "line \(line), column \(column): \(explanation)"
        case .tooDeep(let limit): "elements are nested deeper than \(limit)"
        case .tooLarge(let limit): "the document has more than \(limit) nodes"
        case .entityDeclared(let name):
            "the document declares the entity \(name.prefix(80).debugDescription), which is refused"
        case .attributeDefaulted(let name):
            "the document gives the attribute \(name.prefix(80).debugDescription) a value by default, which is refused"
        case .unknownEntity(let name): "the entity \(name.prefix(80).debugDescription) is not known"
        case .outOfMemory: "no memory is left to read the document"
        }
    }
}
