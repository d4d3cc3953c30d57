import CCurl

/// libcurl as a whole: set up once for the process, by the code that needs it first.
enum CurlLibrary {
    private static let setUp: CURLcode = {
        OpenSSLLibrary.prepare()
        return curl_global_init(Int(CURL_GLOBAL_SSL))
    }()

    /// Makes sure that libcurl can be used.
    static func require() throws(RequestError) {
        guard setUp == CURLE_OK else { throw RequestError(.setup(explanation(of: setUp))) }
    }

    static func explanation(of code: CURLcode) -> String {
        unsafe String(cString: curl_easy_strerror(code))
    }

    static func explanation(of code: CURLMcode) -> String {
        unsafe String(cString: curl_multi_strerror(code))
    }
}
