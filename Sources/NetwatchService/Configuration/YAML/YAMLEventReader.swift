import CYAML

/// Reads a text with libyaml, event by event.
@safe
final class YAMLEventReader {
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private var isInitialized: Bool

    /// - Parameter text: In UTF-8.
    init(_ text: [UInt8]) {
        unsafe bytes = .allocate(capacity: max(1, text.count))
        _ = unsafe bytes.initialize(from: text)
        isInitialized = unsafe yaml_parser_initialize(parser) == 1
        guard isInitialized else { return }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, bytes.baseAddress, text.count)
    }

    deinit {
        if isInitialized { unsafe yaml_parser_delete(parser) }
        unsafe parser.deallocate()
        unsafe bytes.deallocate()
    }

    /// The next event; the last one is the stream's end.
    func next() throws(YAMLFailure) -> YAMLEvent {
        var event = unsafe yaml_event_t()
        guard isInitialized, unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure }
        defer { unsafe yaml_event_delete(&event) }
        return unsafe Self.event(event)
    }

    private var failure: YAMLFailure {
        guard isInitialized, let problem = unsafe parser.pointee.problem else {
            return YAMLFailure(reason: "there is no memory left for it", place: .byte(0))
        }
        let reason = unsafe String(cString: problem)
        guard unsafe parser.pointee.error != YAML_READER_ERROR else {
            return unsafe YAMLFailure(reason: reason, place: .byte(parser.pointee.problem_offset))
        }
        // What does not end is told where it begins.
        guard reason != "found unexpected end of stream" else {
            return unsafe YAMLFailure(reason: reason, place: .scalar(parser.pointee.context_mark.index))
        }
        return unsafe YAMLFailure(reason: reason, place: .scalar(parser.pointee.problem_mark.index))
    }

    private static func event(_ event: yaml_event_t) -> YAMLEvent {
        var result = unsafe YAMLEvent(kind: kind(event), start: event.start_mark.index, end: event.end_mark.index)
        switch unsafe event.type {
        case YAML_SCALAR_EVENT:
            result.hasAnchor = unsafe event.data.scalar.anchor != nil
            result.hasTag = unsafe event.data.scalar.tag != nil
        case YAML_SEQUENCE_START_EVENT:
            result.hasAnchor = unsafe event.data.sequence_start.anchor != nil
            result.hasTag = unsafe event.data.sequence_start.tag != nil
        case YAML_MAPPING_START_EVENT:
            result.hasAnchor = unsafe event.data.mapping_start.anchor != nil
            result.hasTag = unsafe event.data.mapping_start.tag != nil
        default: break
        }
        return result
    }

    private static func kind(_ event: yaml_event_t) -> YAMLEvent.Kind {
        switch unsafe event.type {
        case YAML_STREAM_END_EVENT: .streamEnd
        case YAML_DOCUMENT_START_EVENT: .documentStart
        case YAML_DOCUMENT_END_EVENT: .documentEnd
        case YAML_ALIAS_EVENT: .alias
        case YAML_SCALAR_EVENT: unsafe scalar(event)
        case YAML_SEQUENCE_START_EVENT: .listStart
        case YAML_SEQUENCE_END_EVENT: .listEnd
        case YAML_MAPPING_START_EVENT: .objectStart
        case YAML_MAPPING_END_EVENT: .objectEnd
        default: .streamStart
        }
    }

    private static func scalar(_ event: yaml_event_t) -> YAMLEvent.Kind {
        let scalar = unsafe event.data.scalar
        let text = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        return unsafe .scalar(String(decoding: text, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
    }
}
