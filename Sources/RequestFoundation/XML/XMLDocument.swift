public import FoundationEssentials

extension XML {
    /// A document as a tree.
    public struct Document: Hashable, Sendable {
        public let root: Element

        /// How many nodes a tree may have, attributes included: a node takes far more memory than the few bytes that name it.
        public static let maximumNodeCount = 1 << 20

        /// Few enough bytes that their events, which take far more memory, do not count beside the tree.
        private static let pieceLength = 64 << 10

        /// Reads a whole document. Comments and instructions beside the root are left out.
        public init(_ data: some DataProtocol) throws(Failure) {
            var parser = try Parser()
            var builder = TreeBuilder()
            var rest = data[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Self.pieceLength)
                for event in try parser.parse(piece) { try builder.add(event) }
                rest = rest.dropFirst(piece.count)
            }
            for event in try parser.finish() { try builder.add(event) }
            guard let root = builder.root else { throw .empty }
            self.root = root
        }
    }

    public struct Element: Hashable, Sendable {
        public let name: Name
        public let attributes: [Attribute]
        public fileprivate(set) var children: [Node] = []

        /// The value of an attribute by its local name.
        public subscript(attribute local: String) -> String? {
            attributes.first { $0.name.local == local }?.value
        }

        /// The elements directly under this one, of a local name or all.
        public func elements(named local: String? = nil) -> [Element] {
            children.compactMap { child in
                guard case .element(let element) = child else { return nil }
                return local == nil || element.name.local == local ? element : nil
            }
        }

        /// The text of this element and of all under it.
        public var text: String {
            children.map { child in
                switch child {
                case .text(let text): text
                case .element(let element): element.text
                case .comment, .processingInstruction: ""
                }
            }.joined()
        }
    }

    public enum Node: Hashable, Sendable {
        case element(Element)
        case text(String)
        case comment(String)
        case processingInstruction(target: String, data: String)
    }

    /// Folds events into a tree.
    private struct TreeBuilder {
        private(set) var root: Element?
        private var open: [Element] = []
        /// The pieces of one text, which become one node.
        private var text = ""
        private var nodeCount = 0

        mutating func add(_ event: Event) throws(Failure) {
            if case .text(let piece) = event {
                text += piece
                return
            }
            try flushText()
            switch event {
            case .start(let name, let attributes):
                try count(1 + attributes.count)
                open.append(Element(name: name, attributes: attributes))
            case .end: close()
            case .comment(let text): try add(leaf: .comment(text))
            case .processingInstruction(let target, let data):
                try add(leaf: .processingInstruction(target: target, data: data))
            case .text: break
            }
        }

        private mutating func close() {
            guard let element = open.popLast() else { return }
            if open.isEmpty { root = element } else { add(child: .element(element)) }
        }

        private mutating func flushText() throws(Failure) {
            guard !text.isEmpty else { return }
            try add(leaf: .text(text))
            text = ""
        }

        private mutating func add(leaf: Node) throws(Failure) {
            guard !open.isEmpty else { return }
            try count(1)
            add(child: leaf)
        }

        private mutating func add(child: Node) {
            guard let last = open.indices.last else { return }
            open[last].children.append(child)
        }

        private mutating func count(_ more: Int) throws(Failure) {
            nodeCount += more
            guard nodeCount <= Document.maximumNodeCount else { throw .tooLarge(limit: Document.maximumNodeCount) }
        }
    }
}
