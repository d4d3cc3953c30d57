import CCurl

/// What several handles of libcurl's have in common: their cookies. They all stay on one thread, so nothing is locked.
@safe
final class ShareHandle {
    let handle: UnsafeMutableRawPointer

    init() throws(RequestError) {
        guard let handle = unsafe curl_share_init() else { throw RequestError(.setup("out of memory")) }
        unsafe self.handle = handle
        let code = unsafe netwatch_share_setopt_data(handle, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE)
        guard code == CURLSHE_OK else { throw unsafe RequestError(.setup(String(cString: curl_share_strerror(code)))) }
    }

    deinit {
        unsafe curl_share_cleanup(handle)
    }
}
