internal import COpenSSL
internal import SystemPackage

/// Runs code that may leave errors in OpenSSL's queue of this thread, and takes those errors out again.
///
/// They must not stay: `SSL_get_error(3)` looks into the same queue, so that an error left there by parsing a
/// certificate would fail whatever connection this thread serves next.
func withOpenSSLErrors<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    OpenSSLLibrary.prepare()
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    return try body()
}

/// The first error in OpenSSL's queue of this thread, in OpenSSL's words.
func latestOpenSSLError() -> String {
    let code = ERR_peek_last_error()
    guard code != 0, let reason = unsafe ERR_reason_error_string(code) else { return "no reason given" }
    return unsafe String(cString: reason)
}

/// The reason code of the newest error in the queue of this thread (`ERR_GET_REASON`).
func latestOpenSSLReason() -> CInt {
    ERR_GET_REASON(ERR_peek_last_error())
}

/// Why the system has refused something for want of descriptors or memory, by OpenSSL's queue of this thread; nil where
/// it has not. All errors are taken out of the queue.
func takeOpenSSLShortage() -> Errno? {
    var shortage: Errno?
    while case let code = ERR_get_error(), code != 0 {
        guard shortage == nil, ERR_GET_LIB(code) == ERR_LIB_SYS else { continue }
        let cause = Errno(rawValue: ERR_GET_REASON(code))
        if [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory].contains(cause) { shortage = cause }
    }
    return shortage
}
