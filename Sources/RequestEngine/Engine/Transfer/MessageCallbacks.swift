import CCurl
import EventLoop

extension TransferHandle {
    func installMessageCallbacks() throws(RequestError) {
        try unsafe check(netwatch_easy_setopt_write_callback(handle, CURLOPT_HEADERFUNCTION, headerCallback))
        try unsafe set(CURLOPT_HEADERDATA, context)
        try unsafe check(netwatch_easy_setopt_write_callback(handle, CURLOPT_WRITEFUNCTION, writeCallback))
        try unsafe set(CURLOPT_WRITEDATA, context)
        try unsafe check(netwatch_easy_setopt_read_callback(handle, CURLOPT_READFUNCTION, readCallback))
        try unsafe set(CURLOPT_READDATA, context)
        try unsafe check(netwatch_easy_setopt_seek_callback(handle, CURLOPT_SEEKFUNCTION, seekCallback))
        try unsafe set(CURLOPT_SEEKDATA, context)
    }
}

/// The header of the answer, line by line, and the content, both ways.
extension Transfer {
    fileprivate func receive(line: Span<UInt8>) -> Int {
        lastActivity = turn.time
        clock.headerReceived()
        switch headReader.receive(line: line, requestSize: easy.integer(CURLINFO_REQUEST_SIZE) ?? 0) {
        case .open:
            return line.count
        case .whole(let code):
            // libcurl may answer a challenge itself, and then this header is not the last.
            let isTaken = code == 401 || code == 407 || begin()
            source?.giveUpWaiting(isEndSeen: total != nil || !headReader.head.endsSending)
            return isTaken ? line.count : 0
        case .refused(let reason):
            refusal = reason
            return 0
        }
    }

    fileprivate func receive(_ bytes: Span<UInt8>) -> Int {
        lastActivity = turn.time
        guard begin() else { return Self.refused(bytes) }
        guard !isSuspended else { return pause(CURL_WRITEFUNC_PAUSE) }
        // Counted here: of chunks libcurl (7.88) counts what it has read only after it was handed on.
        bytesOffered = bytesTaken + Int64(bytes.count)
        if bytesOffered == total { source?.giveUpWaiting(isEndSeen: true) }
        switch decoding?.receive(bytes, take) ?? take(bytes) {
        case .taken:
            bytesTaken = bytesOffered
            // The last bytes of what is packed may give nothing to hand on.
            if decoding != nil { noteReceived(0) }
            return bytes.count
        case .paused:
            return pause(CURL_WRITEFUNC_PAUSE)
        case .enough:
            isBrokenOff = true
            return Self.refused(bytes)
        case .refused(let reason):
            // What keeps the beginning of a body that is set aside refuses nothing: then it cannot be unpacked, and the
            // rest is of no use.
            isBrokenOff = isSetAside
            note(flaw: reason)
            return Self.refused(bytes)
        }
    }

    /// Hands on a piece of the content as it is to be read.
    private func take(_ piece: Span<UInt8>) -> BodyDisposition {
        if let reason = excess(of: bytesDecoded + Int64(piece.count)) { return .refused(reason) }
        let disposition = receiver.receive(piece)
        if case .taken = disposition { noteReceived(piece.count) }
        return disposition
    }

    fileprivate func supply(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        lastActivity = turn.time
        guard !isSuspended else { return pause(CURL_READFUNC_PAUSE) }
        switch unsafe source?.read(into: buffer) ?? .end {
        case .bytes(let count):
            noteSupplied(count)
            return count
        case .end:
            return 0
        case .paused:
            return pause(CURL_READFUNC_PAUSE)
        case .failed(let reason):
            refusal = reason
            return Int(CURL_READFUNC_ABORT)
        }
    }

    func seek(to offset: Int64) -> Bool {
        guard let source else { return true }
        guard source.seek(to: offset) else { return false }
        bytesSupplied = offset
        return true
    }

    private func pause(_ answer: CInt) -> Int {
        isPaused = true
        return Int(answer)
    }

    /// Any other number than that of the bytes given is a refusal.
    private static func refused(_ bytes: Span<UInt8>) -> Int {
        bytes.isEmpty ? 1 : 0
    }

    private func noteReceived(_ count: Int) {
        bytesDecoded += Int64(count)
        guard !observers.isEmpty, !isSetAside else { return }
        let completed = bytesOffered + receiver.offset
        let total = total.map { $0.adding(clamped: receiver.offset) }
        let progress = TransferProgress(completed: completed, total: total, decoded: bytesDecoded + receiver.offset)
        guard progress != toldProgress else { return }
        toldProgress = progress
        observers.tell(.received(progress))
    }

    private func noteSupplied(_ count: Int) {
        bytesSupplied += Int64(count)
        guard !observers.isEmpty else { return }
        observers.tell(
            .sent(TransferProgress(completed: bytesSupplied, total: source?.count, decoded: bytesSupplied)))
    }
}

extension ResponseHead {
    /// Whether libcurl sends nothing more once the answer has ended: it is a refusal, or the connection ends with it.
    fileprivate var endsSending: Bool {
        statusCode >= 300 || httpVersion == .http1_0
            || headers.values(of: "Connection").contains { $0.lowercased().contains("close") }
    }
}

private let headerCallback: curl_write_callback = { line, size, count, context in
    guard let context = unsafe context, let transfer = unsafe TransferHandle.transfer(of: context) else { return 0 }
    let bytes = unsafe UnsafeRawBufferPointer(start: line, count: size * count)
    return unsafe transfer.receive(line: bytes.assumingMemoryBound(to: UInt8.self).span)
}

private let writeCallback: curl_write_callback = { bytes, size, count, context in
    guard let context = unsafe context, let transfer = unsafe TransferHandle.transfer(of: context) else { return 0 }
    let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe transfer.receive(piece.assumingMemoryBound(to: UInt8.self).span)
}

private let readCallback: curl_read_callback = { buffer, size, count, context in
    guard let context = unsafe context, let transfer = unsafe TransferHandle.transfer(of: context) else {
        return Int(CURL_READFUNC_ABORT)
    }
    return unsafe transfer.supply(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
}

private let seekCallback: curl_seek_callback = { context, offset, origin in
    guard let context = unsafe context, origin == SEEK_SET, let transfer = unsafe TransferHandle.transfer(of: context)
    else {
        return CURL_SEEKFUNC_CANTSEEK
    }
    return transfer.seek(to: Int64(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}
