import CCurl
import Glibc

/// A handle of libcurl's, with everything that has to live as long as it does.
@safe
class EasyHandle {
    final let handle: UnsafeMutableRawPointer
    /// Is told of the sockets it opens; nil for one that opens none.
    final let multi: MultiHandle?
    private let explanationBuffer: UnsafeMutablePointer<CChar>
    /// Kept alive for as long as libcurl uses it.
    private var share: ShareHandle?
    private var lists: [UnsafeMutablePointer<curl_slist>] = unsafe []

    init(for multi: MultiHandle? = nil) throws(RequestError) {
        self.multi = multi
        guard let handle = unsafe curl_easy_init() else { throw RequestError(.setup("out of memory")) }
        unsafe self.handle = handle
        unsafe explanationBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe explanationBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        freeLists()
        unsafe explanationBuffer.deallocate()
    }

    /// Makes the handle as good as new. Its share of caches and connections stays with the multi handle.
    ///
    /// - Returns: Whether it can be set up. libcurl (7.88) keeps the receive buffer of a transfer that never had a connection
    ///   of its own, or whose connection other transfers still use, and then refuses to be told the size of another.
    func reset() -> Bool {
        forgetCookies()
        unsafe curl_easy_reset(handle)
        freeLists()
        forgetExplanation()
        return unsafe netwatch_easy_setopt_long(handle, CURLOPT_BUFFERSIZE, 0) == CURLE_OK
    }

    /// Names this handle to libcurl, which gives it back to the callbacks.
    final var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    /// Lets a paused transfer go on. The callbacks may be called before this returns.
    ///
    /// - Returns: What came of it, which libcurl (7.88) tells nowhere else: what was held back is handed over here, and where a
    ///   callback refuses it the transfer is not looked at again (lib/easy.c, curl_easy_pause).
    final func unpause() -> CURLcode {
        unsafe curl_easy_pause(handle, CURLPAUSE_CONT)
    }

    /// What libcurl said about the last failure, more exactly than its code does.
    final var explanation: String? {
        unsafe explanationBuffer.pointee == 0 ? nil : String(cString: explanationBuffer)
    }

    final func forgetExplanation() {
        unsafe explanationBuffer.pointee = 0
    }

    final func keepExplanation() throws(RequestError) {
        try unsafe set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(explanationBuffer))
    }

    // MARK: Options

    final func set(_ option: CURLoption, _ value: Int) throws(RequestError) {
        try unsafe check(netwatch_easy_setopt_long(handle, option, value))
    }

    final func set(_ option: CURLoption, offset value: Int64) throws(RequestError) {
        try unsafe check(netwatch_easy_setopt_offset(handle, option, curl_off_t(value)))
    }

    final func set(_ option: CURLoption, _ value: String) throws(RequestError) {
        try unsafe check(netwatch_easy_setopt_string(handle, option, value))
    }

    final func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer) throws(RequestError) {
        try unsafe check(netwatch_easy_setopt_pointer(handle, option, value))
    }

    /// Sets bytes, which libcurl copies.
    final func set(_ option: CURLoption, _ bytes: [UInt8]) throws(RequestError) {
        try unsafe check(
            bytes.withUnsafeBytes { unsafe netwatch_easy_setopt_blob(handle, option, $0.baseAddress, $0.count) })
    }

    /// Makes this handle use what is shared, or nothing.
    final func set(share: ShareHandle?) throws(RequestError) {
        guard share !== self.share else { return }
        try unsafe check(netwatch_easy_setopt_pointer(handle, CURLOPT_SHARE, share?.handle))
        self.share = share
    }

    /// Sets a list of strings, which libcurl does not copy.
    final func set(_ option: CURLoption, _ values: [String]) throws(RequestError) {
        var list: UnsafeMutablePointer<curl_slist>?
        for value in values {
            guard let longer = unsafe curl_slist_append(list, value) else {
                unsafe curl_slist_free_all(list)
                throw RequestError(.setup("out of memory"))
            }
            unsafe list = longer
        }
        guard let list = unsafe list else { return }
        unsafe lists.append(list)
        try unsafe check(netwatch_easy_setopt_list(handle, option, list))
    }

    final func check(_ code: CURLcode) throws(RequestError) {
        guard code == CURLE_OK else { throw RequestError(.setup(CurlLibrary.explanation(of: code))) }
    }

    /// Leaves the cookies to those that share them, and frees the names of their files, which a reset would lose
    /// (libcurl 7.88).
    private func forgetCookies() {
        guard share != nil else { return }
        _ = unsafe netwatch_easy_setopt_pointer(handle, CURLOPT_SHARE, nil)
        _ = unsafe netwatch_easy_setopt_string(handle, CURLOPT_COOKIEFILE, nil)
        share = nil
    }

    private func freeLists() {
        unsafe lists.forEach(curl_slist_free_all)
        unsafe lists = []
    }
}
