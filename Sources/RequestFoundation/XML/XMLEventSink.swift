import CLibXML2

/// Takes what libxml2 calls back, and keeps the first failure.
final class XMLEventSink {
    private(set) var failure: XML.Failure?
    private var events: [XML.Event] = []
    private var depth = 0
    /// The URIs of namespaces, by where libxml2 has them.
    private var namespaces: [UInt: String] = [:]

    /// The sink that a callback's context stands for.
    static func from(_ context: UnsafeMutableRawPointer?) -> XMLEventSink? {
        unsafe context.map { unsafe Unmanaged<XMLEventSink>.fromOpaque($0).takeUnretainedValue() }
    }

    var isStopped: Bool { failure != nil }

    func takeEvents() -> [XML.Event] {
        defer { events = [] }
        return events
    }

    /// The URI that lies at an address, which is made once: a long one would be copied for each small element otherwise.
    func namespace(at address: UInt, _ make: () -> String) -> String {
        if let known = namespaces[address] { return known }
        let uri = make()
        namespaces[address] = uri
        return uri
    }

    /// Ends the parser in the middle of a piece.
    var stop: () -> Void = {}

    /// Fails, and has nothing more parsed: what is refused would cost even where nothing is made of it.
    func refuse(_ failure: XML.Failure) {
        fail(failure)
        stop()
    }

    /// Keeps the failure unless there is one. What comes after it does not count.
    func fail(_ failure: XML.Failure) {
        if self.failure == nil { self.failure = failure }
    }

    func add(_ event: XML.Event) {
        guard !isStopped else { return }
        switch event {
        case .start:
            depth += 1
            guard depth <= XML.Parser.maximumDepth else { return refuse(.tooDeep(limit: XML.Parser.maximumDepth)) }
        case .end: depth -= 1
        default: break
        }
        events.append(event)
    }
}

extension XML.Failure {
    /// What libxml2 reports. Only an error counts: a warning leaves the document well formed.
    init?(_ error: xmlError) {
        guard unsafe error.level.rawValue >= XML_ERR_ERROR.rawValue else { return nil }
        self = unsafe .malformed(
            line: max(1, Int(error.line)), column: max(1, Int(error.int2)), Self.explanation(of: error))
    }

    private static func explanation(of error: xmlError) -> String {
        // libxml2 calls a document empty that begins with something other than an element. One that is empty never comes
        // so far: see XMLParserContext.
        guard unsafe error.code != XML_ERR_DOCUMENT_EMPTY.rawValue else { return "an element should begin here" }
        let message = unsafe error.message.map { unsafe String(cString: $0) } ?? "error \(error.code)"
        return message.split(separator: "\n").first.map(String.init) ?? message
    }
}
