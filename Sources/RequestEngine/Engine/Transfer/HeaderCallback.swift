import CCurl
import EventLoop

extension TransferHandle {
    func installHeaderCallback() throws(RequestError) {
        try unsafe check(netwatch_easy_setopt_write_callback(handle, CURLOPT_HEADERFUNCTION, headerCallback))
        try unsafe set(CURLOPT_HEADERDATA, context)
    }
}

/// The header of the answer, line by line.
extension Transfer {
    fileprivate func receive(line: Span<UInt8>) -> Int {
        lastActivity = turn.time
        clock.headerReceived()
        headReader.receive(line: line)
        guard headReader.byteCount <= settings.options.headerLimit else {
            refusal = .headerTooLarge(limit: settings.options.headerLimit)
            return 0
        }
        if let flaw = headReader.flaw {
            refusal = .malformedResponse(flaw)
            return 0
        }
        if headReader.isFinal, !isChallenge, !begin() { return 0 }
        return line.count
    }

    /// libcurl may answer a challenge itself, and then this header is not the last.
    private var isChallenge: Bool {
        headReader.head.statusCode == 401 || headReader.head.statusCode == 407
    }
}

private let headerCallback: curl_write_callback = { line, size, count, context in
    guard let context = unsafe context, let transfer = unsafe TransferHandle.transfer(of: context) else { return 0 }
    let bytes = unsafe UnsafeRawBufferPointer(start: line, count: size * count)
    return unsafe transfer.receive(line: bytes.assumingMemoryBound(to: UInt8.self).span)
}
