public import FoundationEssentials

extension XML {
    /// A document as a tree.
    public struct Document: Hashable, Sendable {
        public let root: Element

        /// Reads a whole document. Comments and instructions beside the root are left out.
        public init(_ data: some DataProtocol) throws(Failure) {
            var parser = try Parser()
            var builder = TreeBuilder()
            for event in try parser.parse(data) { builder.add(event) }
            for event in try parser.finish() { builder.add(event) }
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

        mutating func add(_ event: Event) {
            if case .text(let piece) = event {
                text += piece
                return
            }
            flushText()
            switch event {
            case .start(let name, let attributes): open.append(Element(name: name, attributes: attributes))
            case .end: close()
            case .comment(let text): add(node: .comment(text))
            case .processingInstruction(let target, let data):
                add(node: .processingInstruction(target: target, data: data))
            case .text: break
            }
        }

        private mutating func close() {
            guard let element = open.popLast() else { return }
            if open.isEmpty { root = element } else { add(node: .element(element)) }
        }

        private mutating func flushText() {
            guard !text.isEmpty else { return }
            add(node: .text(text))
            text = ""
        }

        private mutating func add(node: Node) {
            guard let last = open.indices.last else { return }
            open[last].children.append(node)
        }
    }
}
