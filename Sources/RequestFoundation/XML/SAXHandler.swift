import CLibXML2

extension xmlSAXHandler {
    /// The callbacks of an event parser. There is none that would look up an entity, so none can be loaded.
    static var events: xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.startElementNs = elementDidStart
        handler.endElementNs = elementDidEnd
        handler.characters = textDidCome
        handler.ignorableWhitespace = textDidCome
        handler.cdataBlock = textDidCome
        handler.comment = { context, text in XML.EventSink.from(context)?.add(.comment(string(text))) }
        handler.processingInstruction = { context, target, data in
            XML.EventSink.from(context)?.add(.processingInstruction(target: string(target), data: string(data)))
        }
        handler.entityDecl = { context, name, _, _, _, _ in
            XML.EventSink.from(context)?.fail(.entityDeclared(string(name)))
        }
        handler.unparsedEntityDecl = { context, name, _, _, _ in
            XML.EventSink.from(context)?.fail(.entityDeclared(string(name)))
        }
        handler.reference = { context, name in XML.EventSink.from(context)?.fail(.unknownEntity(string(name))) }
        handler.serror = { context, error in
            guard let failure = error.flatMap({ XML.Failure($0.pointee) }) else { return }
            XML.EventSink.from(context)?.fail(failure)
        }
        return handler
    }
}

private let elementDidStart: startElementNsSAX2Func = {
    context, local, prefix, namespace, _, _, attributeCount, _, attributes in
    let name = XML.Name(string(local), prefix: prefix.map(string), namespace: namespace.map(string))
    let all = (0..<Int(attributeCount)).compactMap { index in attributes.flatMap { attribute($0 + 5 * index) } }
    XML.EventSink.from(context)?.add(.start(name, all))
}

private let elementDidEnd: endElementNsSAX2Func = { context, local, prefix, namespace in
    let name = XML.Name(string(local), prefix: prefix.map(string), namespace: namespace.map(string))
    XML.EventSink.from(context)?.add(.end(name))
}

private let textDidCome: charactersSAXFunc = { context, bytes, count in
    let text = String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    XML.EventSink.from(context)?.add(.text(text))
}

/// An attribute is five pointers: local name, prefix, namespace, and the begin and end of its value.
private func attribute(_ fields: UnsafeMutablePointer<UnsafePointer<xmlChar>?>) -> XML.Attribute? {
    guard let local = fields[0], let begin = fields[3], let end = fields[4] else { return nil }
    let value = UnsafeBufferPointer(start: begin, count: end - begin)
    let name = XML.Name(string(local), prefix: fields[1].map(string), namespace: fields[2].map(string))
    return XML.Attribute(name: name, value: String(decoding: value, as: UTF8.self))
}

private func string(_ text: UnsafePointer<xmlChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
}
