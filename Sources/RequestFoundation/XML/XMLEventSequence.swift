public import FoundationEssentials

extension XML {
    /// The events of a document whose bytes come in pieces, such as the body of a response as it arrives. Nothing is kept
    /// but the events of the piece being read.
    public struct Events<Pieces: AsyncSequence>: AsyncSequence where Pieces.Element == Data {
        private let pieces: Pieces

        public init(_ pieces: Pieces) {
            self.pieces = pieces
        }

        public func makeAsyncIterator() -> Iterator {
            Iterator(pieces: pieces.makeAsyncIterator())
        }

        public struct Iterator: AsyncIteratorProtocol {
            private var pieces: Pieces.AsyncIterator
            private let parser = OpenParser()
            private var events: ArraySlice<Event> = []
            private var isFinished = false

            init(pieces: Pieces.AsyncIterator) {
                self.pieces = pieces
            }

            /// The next event; nil after the last of a complete document.
            public mutating func next(isolation: isolated (any Actor)?) async throws -> Event? {
                while events.isEmpty, !isFinished {
                    if let piece = try await pieces.next(isolation: isolation) {
                        events = try parser.parse(piece)[...]
                    } else {
                        isFinished = true
                        events = try parser.finish()[...]
                    }
                }
                return events.popFirst()
            }

            public mutating func next() async throws -> Event? {
                try await next(isolation: nil)
            }
        }
    }

    /// A parser that is made when it is first asked, since an iterator cannot fail to be made, and that an iterator,
    /// which can be copied, may hold.
    private final class OpenParser {
        private var context: XMLParserContext?

        func parse(_ data: Data) throws(Failure) -> [Event] {
            try open().parse(Array(data), isLast: false)
        }

        func finish() throws(Failure) -> [Event] {
            try open().parse([], isLast: true)
        }

        private func open() throws(Failure) -> XMLParserContext {
            if let context { return context }
            let made = try XMLParserContext()
            context = made
            return made
        }
    }
}
