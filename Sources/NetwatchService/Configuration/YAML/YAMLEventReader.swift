import CYAML

/// Reads a text with libyaml, event by event.
final class YAMLEventReader {
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private var isInitialized: Bool

    /// - Parameter text: In UTF-8.
    init(_ text: [UInt8]) {
        bytes = .allocate(capacity: max(1, text.count))
        _ = bytes.initialize(from: text)
        isInitialized = yaml_parser_initialize(parser) == 1
        guard isInitialized else { return }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, text.count)
    }

    deinit {
        if isInitialized { yaml_parser_delete(parser) }
        parser.deallocate()
        bytes.deallocate()
    }

    /// The next event; the last one is the stream's end.
    func next() throws(YAMLFailure) -> YAMLEvent {
        var event = yaml_event_t()
        guard isInitialized, yaml_parser_parse(parser, &event) == 1 else { throw failure }
        defer { yaml_event_delete(&event) }
        return Self.event(event)
    }

    private var failure: YAMLFailure {
        guard isInitialized, let problem = parser.pointee.problem else {
            return YAMLFailure(reason: "there is no memory left for it", place: .byte(0))
        }
        let reason = String(cString: problem)
        guard parser.pointee.error != YAML_READER_ERROR else {
            return YAMLFailure(reason: reason, place: .byte(parser.pointee.problem_offset))
        }
        // What does not end is told where it begins.
        guard reason != "found unexpected end of stream" else {
            return YAMLFailure(reason: reason, place: .scalar(parser.pointee.context_mark.index))
        }
        return YAMLFailure(reason: reason, place: .scalar(parser.pointee.problem_mark.index))
    }

    private static func event(_ event: yaml_event_t) -> YAMLEvent {
        var result = YAMLEvent(kind: kind(event), start: event.start_mark.index, end: event.end_mark.index)
        switch event.type {
        case YAML_SCALAR_EVENT:
            result.hasAnchor = event.data.scalar.anchor != nil
            result.hasTag = event.data.scalar.tag != nil
        case YAML_SEQUENCE_START_EVENT:
            result.hasAnchor = event.data.sequence_start.anchor != nil
            result.hasTag = event.data.sequence_start.tag != nil
        case YAML_MAPPING_START_EVENT:
            result.hasAnchor = event.data.mapping_start.anchor != nil
            result.hasTag = event.data.mapping_start.tag != nil
        default: break
        }
        return result
    }

    private static func kind(_ event: yaml_event_t) -> YAMLEvent.Kind {
        switch event.type {
        case YAML_STREAM_END_EVENT: .streamEnd
        case YAML_DOCUMENT_START_EVENT: .documentStart
        case YAML_DOCUMENT_END_EVENT: .documentEnd
        case YAML_ALIAS_EVENT: .alias
        case YAML_SCALAR_EVENT: scalar(event)
        case YAML_SEQUENCE_START_EVENT: .listStart
        case YAML_SEQUENCE_END_EVENT: .listEnd
        case YAML_MAPPING_START_EVENT: .objectStart
        case YAML_MAPPING_END_EVENT: .objectEnd
        default: .streamStart
        }
    }

    private static func scalar(_ event: yaml_event_t) -> YAMLEvent.Kind {
        let scalar = event.data.scalar
        let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        return .scalar(String(decoding: text, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
    }
}
