import CCurl
import SystemPackage

/// What libcurl knows about the transfer. Each is nil or zero where it does not.
extension EasyHandle {
    func integer(_ info: CURLINFO) -> Int? {
        var value = 0
        return unsafe netwatch_easy_getinfo_long(handle, info, &value) == CURLE_OK ? value : nil
    }

    func count(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        return unsafe netwatch_easy_getinfo_offset(handle, info, &value) == CURLE_OK ? max(0, Int(value)) : 0
    }

    func strings(_ info: CURLINFO) -> [String] {
        var list: UnsafeMutablePointer<curl_slist>?
        guard unsafe netwatch_easy_getinfo_list(handle, info, &list) == CURLE_OK else { return [] }
        defer { unsafe curl_slist_free_all(list) }
        return unsafe sequence(first: list, next: { unsafe $0?.pointee.next }).prefix { unsafe $0 != nil }.compactMap {
            node in
            unsafe node?.pointee.data.map { unsafe String(cString: $0) }
        }
    }

    /// The socket of the connection that the latest transfer went over, as long as that is kept.
    var activeSocket: CInt? {
        var socket: curl_socket_t = CURL_SOCKET_BAD
        let code = unsafe netwatch_easy_getinfo_socket(handle, CURLINFO_ACTIVESOCKET, &socket)
        return code == CURLE_OK && socket != CURL_SOCKET_BAD ? socket : nil
    }

    /// What the last failed system call answered.
    var lastErrno: Errno? {
        integer(CURLINFO_OS_ERRNO).flatMap { $0 == 0 ? nil : Errno(rawValue: CInt(truncatingIfNeeded: $0)) }
    }
}
