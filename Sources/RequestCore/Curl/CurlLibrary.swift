import CCurl
import COpenSSL

/// libcurl as a whole: set up once for the process, by whoever needs it first.
enum CurlLibrary {
    /// OpenSSL must not tidy itself up when the process ends: exit(3) runs on one thread while a loop on another still lets
    /// go of connections, and both would free the same memory. The first call decides (OPENSSL_init_crypto(3)).
    private static let setUp: CURLcode = {
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
        return curl_global_init(Int(CURL_GLOBAL_SSL))
    }()

    /// Makes sure that libcurl can be used.
    static func require() throws(RequestError) {
        guard setUp == CURLE_OK else { throw RequestError(.setup(explanation(of: setUp))) }
    }

    static func explanation(of code: CURLcode) -> String {
        String(cString: curl_easy_strerror(code))
    }

    static func explanation(of code: CURLMcode) -> String {
        String(cString: curl_multi_strerror(code))
    }
}
