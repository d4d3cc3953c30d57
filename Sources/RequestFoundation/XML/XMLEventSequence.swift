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
            /// Made with the first piece: an iterator cannot fail to be made.
            private var context: XMLParserContext?
            private var events: ArraySlice<Event> = []
            private var isFinished = false

            init(pieces: Pieces.AsyncIterator) {
                self.pieces = pieces
            }

            /// The next event; nil after the last of a complete document.
            public mutating func next(isolation: isolated (any Actor)?) async throws -> Event? {
                while events.isEmpty, !isFinished {
                    let piece = try await pieces.next(isolation: isolation)
                    isFinished = piece == nil
                    let context = try context ?? XMLParserContext()
                    self.context = context
                    events = try context.parse(Array(piece ?? Data()), isLast: isFinished)[...]
                }
                return events.popFirst()
            }

            public mutating func next() async throws -> Event? {
                try await next(isolation: nil)
            }
        }
    }
}
