import CLibXML2

/// libxml2's push parser, and the only owner of its memory.
@safe
final class XMLParserContext {
    private let context: xmlParserCtxtPtr
    private let sink: XMLEventSink
    /// Whether anything but white space has come; libxml2 has no clear word for a document without.
    private var hasContent = false

    init() throws(XML.Failure) {
        // Once for the process; libxml2 sees to that itself, and to threads.
        xmlInitParser()
        sink = XMLEventSink()
        var handler = unsafe xmlSAXHandler.events
        let user = unsafe Unmanaged.passUnretained(sink).toOpaque()
        guard let context = unsafe xmlCreatePushParserCtxt(&handler, user, nil, 0, nil) else { throw .outOfMemory }
        unsafe self.context = context
        // No network, no external subset, no entities put in place of references.
        unsafe xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
        sink.stop = { unsafe xmlStopParser(context) }
    }

    deinit {
        if let document = unsafe context.pointee.myDoc { unsafe xmlFreeDoc(document) }
        unsafe xmlFreeParserCtxt(context)
    }

    /// Pushes bytes and returns the events they complete.
    func parse(_ bytes: [UInt8], isLast: Bool) throws(XML.Failure) -> [XML.Event] {
        hasContent = hasContent || bytes.contains { $0 > 0x20 }
        guard hasContent || !isLast else { throw .empty }
        // The length is an Int32 in libxml2's interface.
        for piece in stride(from: 0, to: max(bytes.count, 1), by: 1 << 20) {
            let end = min(bytes.count, piece + 1 << 20)
            push(bytes[min(piece, bytes.count)..<end], isLast: isLast && end == bytes.count)
            if let failure = sink.failure { throw failure }
        }
        return sink.takeEvents()
    }

    private func push(_ bytes: ArraySlice<UInt8>, isLast: Bool) {
        let status = unsafe bytes.withUnsafeBytes { bytes in
            unsafe xmlParseChunk(
                context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), isLast ? 1 : 0)
        }
        if sink.isStopped { unsafe xmlStopParser(context) }
        if status != 0 { sink.fail(.malformed(line: 1, column: 1, "libxml2's error \(status)")) }
    }
}
