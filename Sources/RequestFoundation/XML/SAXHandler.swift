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
            unsafe XMLEventSink.from(context)?.fail(.entityDeclared(string(name)))
        }
        unsafe handler.unparsedEntityDecl = { context, name, _, _, _ in
            unsafe XMLEventSink.from(context)?.fail(.entityDeclared(string(name)))
        }
        unsafe handler.reference = { context, name in
            unsafe XMLEventSink.from(context)?.fail(.unknownEntity(string(name)))
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
    let name = unsafe XML.Name(string(local), prefix: prefix.map(string), namespace: namespace.map(string))
    let all = (0..<Int(attributeCount)).compactMap { index in
        unsafe attributes.flatMap { unsafe attribute($0 + 5 * index) }
    }
    unsafe XMLEventSink.from(context)?.add(.start(name, all))
}

private let elementDidEnd: endElementNsSAX2Func = { context, local, prefix, namespace in
    let name = unsafe XML.Name(string(local), prefix: prefix.map(string), namespace: namespace.map(string))
    unsafe XMLEventSink.from(context)?.add(.end(name))
}

private let textDidCome: charactersSAXFunc = { context, bytes, count in
    let text = unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    unsafe XMLEventSink.from(context)?.add(.text(text))
}

/// An attribute is five pointers: local name, prefix, namespace, and the begin and end of its value.
private func attribute(_ fields: UnsafeMutablePointer<UnsafePointer<xmlChar>?>) -> XML.Attribute? {
    guard let local = unsafe fields[0], let begin = unsafe fields[3], let end = unsafe fields[4] else { return nil }
    let value = unsafe UnsafeBufferPointer(start: begin, count: end - begin)
    let name = unsafe XML.Name(string(local), prefix: fields[1].map(string), namespace: fields[2].map(string))
    return unsafe XML.Attribute(name: name, value: String(decoding: value, as: UTF8.self))
}

private func string(_ text: UnsafePointer<xmlChar>?) -> String {
    unsafe text.map { unsafe String(cString: $0) } ?? ""
}
