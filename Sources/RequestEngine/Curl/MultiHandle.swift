import CCurl
import EventLoop

/// A handle of libcurl's that runs many transfers and keeps their connections.
///
/// It tells what to wait for by closures, which are called in the middle of libcurl's work and must not call it.
@safe
final class MultiHandle {
    /// What to wait for on a descriptor; nil to stop waiting.
    var onWait: (CInt, Readiness?) -> Void = { _, _ in }
    /// A socket of a connection was opened, or is about to be closed. The one it was opened for is told by its
    /// ``EasyHandle/context``.
    var onOpen: (CInt, UnsafeMutableRawPointer) -> Void = { _, _ in }
    var onClose: (CInt) -> Void = { _ in }
    /// After how many milliseconds to call `timeOut()`; nil for never.
    var onTimer: (Int?) -> Void = { _ in }

    private let handle: UnsafeMutableRawPointer

    init() throws(RequestError) {
        guard let handle = unsafe curl_multi_init() else { throw RequestError(.setup("out of memory")) }
        unsafe self.handle = handle
        try unsafe check(netwatch_multi_setopt_socket_callback(handle, CURLMOPT_SOCKETFUNCTION, socketCallback))
        try unsafe check(netwatch_multi_setopt_pointer(handle, CURLMOPT_SOCKETDATA, context))
        try unsafe check(netwatch_multi_setopt_timer_callback(handle, CURLMOPT_TIMERFUNCTION, timerCallback))
        try unsafe check(netwatch_multi_setopt_pointer(handle, CURLMOPT_TIMERDATA, context))
    }

    deinit {
        unsafe curl_multi_cleanup(handle)
    }

    /// Names this handle to libcurl, which gives it back to the callbacks.
    var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    static func named(by context: UnsafeMutableRawPointer) -> MultiHandle {
        unsafe Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue()
    }

    func set(_ option: CURLMoption, _ value: Int) throws(RequestError) {
        try unsafe check(netwatch_multi_setopt_long(handle, option, value))
    }

    func add(_ easy: EasyHandle) throws(RequestError) {
        try unsafe check(curl_multi_add_handle(handle, easy.handle))
    }

    func remove(_ easy: EasyHandle) {
        unsafe curl_multi_remove_handle(handle, easy.handle)
    }

    // MARK: What the loop reports

    func ready(_ descriptor: CInt, events: CInt) {
        var running: CInt = 0
        unsafe curl_multi_socket_action(handle, descriptor, events, &running)
    }

    func timeOut() {
        ready(CURL_SOCKET_TIMEOUT, events: 0)
    }

    /// Has libcurl look at every transfer.
    func lookAtAll() {
        var running: CInt = 0
        unsafe netwatch_multi_socket_all(handle, &running)
    }

    /// Takes the next transfer that has ended: what its handle named itself by (``EasyHandle/context``), and how it has ended.
    func nextEnded() -> (context: UnsafeMutableRawPointer, code: CURLcode)? {
        var left: CInt = 0
        while let message = unsafe curl_multi_info_read(handle, &left)?.pointee {
            guard unsafe message.msg == CURLMSG_DONE, let easy = unsafe message.easy_handle else { continue }
            var context: UnsafeMutableRawPointer?
            guard unsafe netwatch_easy_getinfo_pointer(easy, CURLINFO_PRIVATE, &context) == CURLE_OK,
                let context = unsafe context
            else {
                continue
            }
            return unsafe (context, message.data.result)
        }
        return nil
    }

    private func check(_ code: CURLMcode) throws(RequestError) {
        guard code == CURLM_OK else { throw RequestError(.setup(CurlLibrary.explanation(of: code))) }
    }
}

private let socketCallback: curl_socket_callback = { _, descriptor, what, context, _ in
    guard let context = unsafe context else { return 0 }
    let multi = unsafe MultiHandle.named(by: context)
    switch what {
    case CURL_POLL_IN: multi.onWait(descriptor, .readable)
    case CURL_POLL_OUT: multi.onWait(descriptor, .writable)
    case CURL_POLL_INOUT: multi.onWait(descriptor, [.readable, .writable])
    default: multi.onWait(descriptor, nil)
    }
    return 0
}

private let timerCallback: curl_multi_timer_callback = { _, milliseconds, context in
    guard let context = unsafe context else { return 0 }
    unsafe MultiHandle.named(by: context).onTimer(milliseconds < 0 ? nil : milliseconds)
    return 0
}
