import CLibXML2

extension xmlSAXHandler {
    /// The callbacks of an event parser. There is none that would look up an entity, so none can be loaded.
    static var events: xmlSAXHandler {
        var handler = unsafe xmlSAXHandler()
        unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
        unsafe handler.startElementNs = elementDidStart
        unsafe handler.endElementNs = elementDidEnd
        unsafe handler.characters = textDidCome
        unsafe handler.ignorableWhitespace = textDidCome
        unsafe handler.cdataBlock = textDidCome
        unsafe handler.comment = { context, text in unsafe XMLEventSink.from(context)?.add(.comment(string(text))) }
        unsafe handler.processingInstruction = { context, target, data in
            unsafe XMLEventSink.from(context)?.add(.processingInstruction(target: string(target), data: string(data)))
        }
        unsafe handler.entityDecl = { context, name, _, _, _, _ in
            unsafe XMLEventSink.from(context)?.refuse(.entityDeclared(string(name)))
        }
        unsafe handler.unparsedEntityDecl = { context, name, _, _, _ in
            unsafe XMLEventSink.from(context)?.refuse(.entityDeclared(string(name)))
        }
        unsafe handler.attributeDecl = { context, _, name, _, _, value, choices in
            unsafe xmlFreeEnumeration(choices)
            if unsafe value != nil { unsafe XMLEventSink.from(context)?.refuse(.attributeDefaulted(string(name))) }
        }
        unsafe handler.reference = { context, name in
            unsafe XMLEventSink.from(context)?.refuse(.unknownEntity(string(name)))
        }
        unsafe handler.serror = { context, error in
            guard let failure = unsafe error.flatMap({ unsafe XML.Failure($0.pointee) }) else { return }
            unsafe XMLEventSink.from(context)?.fail(failure)
        }
        return unsafe handler
    }
}

private let elementDidStart: startElementNsSAX2Func = {
    context, local, prefix, namespace, _, _, attributeCount, _, attributes in
    guard let sink = unsafe XMLEventSink.from(context), !sink.isStopped else { return }
    let all = (0..<Int(attributeCount)).compactMap { index in
        unsafe attributes.flatMap { unsafe attribute($0 + 5 * index, sink) }
    }
    unsafe sink.add(.start(name(local, prefix, namespace, sink), all))
}

private let elementDidEnd: endElementNsSAX2Func = { context, local, prefix, namespace in
    guard let sink = unsafe XMLEventSink.from(context), !sink.isStopped else { return }
    unsafe sink.add(.end(name(local, prefix, namespace, sink)))
}

private let textDidCome: charactersSAXFunc = { context, bytes, count in
    let text = unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    unsafe XMLEventSink.from(context)?.add(.text(text))
}

/// An attribute is five pointers: local name, prefix, namespace, and the begin and end of its value.
private func attribute(
    _ fields: UnsafeMutablePointer<UnsafePointer<xmlChar>?>, _ sink: XMLEventSink
) -> XML.Attribute? {
    guard let local = unsafe fields[0], let begin = unsafe fields[3], let end = unsafe fields[4] else { return nil }
    let value = unsafe Array(UnsafeBufferPointer(start: begin, count: end - begin))
    return unsafe XML.Attribute(name: name(local, fields[1], fields[2], sink), value: plain(value))
}

private func name(
    _ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?, _ namespace: UnsafePointer<xmlChar>?,
    _ sink: XMLEventSink
) -> XML.Name {
    // libxml2 has one text of each URI, which all that is in the namespace share: so do the names.
    let uri = unsafe namespace.map { text in
        sink.namespace(at: UInt(bitPattern: text)) { unsafe address(text) }
    }
    return unsafe XML.Name(string(local), prefix: prefix.map(string), namespace: uri)
}

/// The text of an attribute's value. As long as it puts no entities in place, libxml2 writes every `&` of a value as a
/// reference to its number, however it was written, and leaves no other `&` (parser.c, xmlParseAttValueComplex).
private func plain(_ value: [UInt8]) -> String {
    let ampersand = UInt8(ascii: "&")
    guard value.contains(ampersand) else { return String(decoding: value, as: UTF8.self) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.count)
    var rest = value[...]
    while let byte = rest.first {
        bytes.append(byte)
        let isReference = byte == ampersand && rest.starts(with: "&#38;".utf8)
        rest = rest.dropFirst(isReference ? "&#38;".utf8.count : 1)
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// The URI of a namespace, which is an attribute's value, too.
private func address(_ text: UnsafePointer<xmlChar>) -> String {
    let text = unsafe string(text)
    return text.utf8.contains(UInt8(ascii: "&")) ? plain(Array(text.utf8)) : text
}

private func string(_ text: UnsafePointer<xmlChar>?) -> String {
    unsafe text.map { unsafe String(cString: $0) } ?? ""
}
