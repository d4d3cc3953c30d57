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
        switch headReader.receive(line: line) {
        case .open:
            return line.count
        case .whole(let code):
            // libcurl may answer a challenge itself, and then this header is not the last.
            return code == 401 || code == 407 || begin() ? line.count : 0
        case .refused(let reason):
            refusal = reason
            return 0
        }
    }
}

private let headerCallback: curl_write_callback = { line, size, count, context in
    guard let context = unsafe context, let transfer = unsafe TransferHandle.transfer(of: context) else { return 0 }
    let bytes = unsafe UnsafeRawBufferPointer(start: line, count: size * count)
    return unsafe transfer.receive(line: bytes.assumingMemoryBound(to: UInt8.self).span)
}
