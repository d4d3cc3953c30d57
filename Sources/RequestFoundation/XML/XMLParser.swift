internal import CLibXML2
public import FoundationEssentials

extension XML {
    /// Reads a document piece by piece: each piece gives the events that it completes.
    ///
    /// Once it has failed it fails again with the same error.
    public struct Parser: ~Copyable {
        private let context: XMLParserContext
        private var failure: Failure?

        /// How deep elements may be nested.
        public static let maximumDepth = 256

        public init() throws(Failure) {
            context = try XMLParserContext()
        }

        /// Reads on.
        public mutating func parse(_ data: some DataProtocol) throws(Failure) -> [Event] {
            var events: [Event] = []
            for region in data.regions { events += try parse(Array(region), isLast: false) }
            return events
        }

        /// Tells that the document ends here; one that is not complete is an error.
        public mutating func finish() throws(Failure) -> [Event] {
            try parse([], isLast: true)
        }

        private mutating func parse(_ bytes: [UInt8], isLast: Bool) throws(Failure) -> [Event] {
            if let failure { throw failure }
            do {
                return try context.parse(bytes, isLast: isLast)
            } catch {
                failure = error
                throw error
            }
        }
    }
}
