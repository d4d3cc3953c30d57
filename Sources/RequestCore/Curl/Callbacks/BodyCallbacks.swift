import CCurl
import EventLoop

/// The content, both ways.
extension Transfer {
    func installBodyCallbacks() throws(RequestError) {
        try easy.check(netwatch_easy_setopt_write_callback(easy.handle, CURLOPT_WRITEFUNCTION, writeCallback))
        try easy.set(CURLOPT_WRITEDATA, context)
        try easy.check(netwatch_easy_setopt_read_callback(easy.handle, CURLOPT_READFUNCTION, readCallback))
        try easy.set(CURLOPT_READDATA, context)
        try easy.check(netwatch_easy_setopt_seek_callback(easy.handle, CURLOPT_SEEKFUNCTION, seekCallback))
        try easy.set(CURLOPT_SEEKDATA, context)
    }

    fileprivate func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastActivity = .now
        if !hasBody {
            hasBody = true
            refusal = receiver.expect(easy.count(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T))
            guard refusal == nil else { return Self.refused(bytes) }
        }
        switch receiver.receive(bytes) {
        case .taken:
            return bytes.count
        case .paused:
            return Int(CURL_WRITEFUNC_PAUSE)
        case .refused(let reason):
            refusal = reason
            return Self.refused(bytes)
        }
    }

    /// Any other number than that of the bytes given is a refusal.
    private static func refused(_ bytes: UnsafeRawBufferPointer) -> Int {
        bytes.isEmpty ? 1 : 0
    }

    fileprivate func supply(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        lastActivity = .now
        switch source?.read(into: buffer) ?? .end {
        case .bytes(let count):
            return count
        case .end:
            return 0
        case .paused:
            return Int(CURL_READFUNC_PAUSE)
        case .failed(let reason):
            refusal = reason
            return Int(CURL_READFUNC_ABORT)
        }
    }
}

private let writeCallback: curl_write_callback = { bytes, size, count, context in
    guard let context else { return 0 }
    return Transfer.from(context).receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
}

private let readCallback: curl_read_callback = { buffer, size, count, context in
    guard let context else { return Int(CURL_READFUNC_ABORT) }
    return Transfer.from(context).supply(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
}

private let seekCallback: curl_seek_callback = { context, offset, origin in
    guard let context, origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
    guard let source = Transfer.from(context).source else { return CURL_SEEKFUNC_OK }
    return source.seek(to: Int64(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}
