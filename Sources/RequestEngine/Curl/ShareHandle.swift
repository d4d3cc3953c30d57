import CCurl

/// What several handles of libcurl's have in common: their cookies. They all stay on one thread, so nothing is locked.
final class ShareHandle {
    let handle: UnsafeMutableRawPointer

    init() throws(RequestError) {
        guard let handle = curl_share_init() else { throw RequestError(.setup("out of memory")) }
        self.handle = handle
        let code = netwatch_share_setopt_data(handle, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE)
        guard code == CURLSHE_OK else { throw RequestError(.setup(String(cString: curl_share_strerror(code)))) }
    }

    deinit {
        curl_share_cleanup(handle)
    }
}
