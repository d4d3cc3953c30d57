import CCurl
import EventLoop

/// The header of the answer, line by line.
extension Transfer {
    func installHeaderCallback() throws(RequestError) {
        try easy.check(netwatch_easy_setopt_write_callback(easy.handle, CURLOPT_HEADERFUNCTION, headerCallback))
        try easy.set(CURLOPT_HEADERDATA, context)
    }

    fileprivate func receive(line: UnsafeRawBufferPointer) -> Int {
        let now = MonotonicTime.now
        lastActivity = now
        clock.headerReceived(now: now)
        headReader.receive(line: line)
        guard headReader.byteCount <= settings.maximumHeaderSize else {
            refusal = .headerTooLarge(limit: settings.maximumHeaderSize)
            return 0
        }
        if headReader.isFinal, !isChallenge, !begin() { return 0 }
        return line.count
    }

    /// libcurl may answer a challenge itself, and then this header is not the last.
    private var isChallenge: Bool {
        [401, 407].contains(headReader.head.statusCode)
    }
}

private let headerCallback: curl_write_callback = { line, size, count, context in
    guard let context else { return 0 }
    return Transfer.from(context).receive(line: UnsafeRawBufferPointer(start: line, count: size * count))
}
