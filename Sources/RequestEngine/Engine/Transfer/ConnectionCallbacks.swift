import CCurl
import EventLoop
import Glibc
import NetworkAddress

extension TransferHandle {
    func installCallbacks() throws(RequestError) {
        try unsafe set(CURLOPT_PRIVATE, context)
        try keepExplanation()
        try installMessageCallbacks()
        try unsafe check(
            netwatch_easy_setopt_open_socket_callback(handle, CURLOPT_OPENSOCKETFUNCTION, openSocketCallback))
        try unsafe set(CURLOPT_OPENSOCKETDATA, context)
        if let multi { try installCloseSocketCallback(multi) }
        try unsafe check(
            netwatch_easy_setopt_tls_context_callback(handle, CURLOPT_SSL_CTX_FUNCTION, tlsContextCallback))
        try unsafe set(CURLOPT_SSL_CTX_DATA, context)
        try unsafe check(netwatch_easy_setopt_prereq_callback(handle, CURLOPT_PREREQFUNCTION, readyCallback))
        try unsafe set(CURLOPT_PREREQDATA, context)
        try unsafe check(netwatch_easy_setopt_debug_callback(handle, CURLOPT_DEBUGFUNCTION, debugCallback))
        try unsafe set(CURLOPT_DEBUGDATA, context)
    }

    /// A connection keeps this callback for as long as it lives, which may be longer than the handle does.
    private func installCloseSocketCallback(_ multi: MultiHandle) throws(RequestError) {
        try unsafe check(
            netwatch_easy_setopt_close_socket_callback(handle, CURLOPT_CLOSESOCKETFUNCTION, closeSocketCallback))
        try unsafe set(CURLOPT_CLOSESOCKETDATA, multi.context)
    }
}

private let openSocketCallback: curl_opensocket_callback = { context, _, address in
    guard let context = unsafe context, let address = unsafe address,
        let transfer = unsafe TransferHandle.transfer(of: context)
    else { return CURL_SOCKET_BAD }
    let descriptor = unsafe transfer.openSocket(address)
    if descriptor != CURL_SOCKET_BAD { unsafe transfer.easy.multi?.onOpen(descriptor, transfer.easy.context) }
    return descriptor
}

private let closeSocketCallback: curl_closesocket_callback = { context, descriptor in
    if let context = unsafe context { unsafe MultiHandle.named(by: context).onClose(descriptor) }
    return close(descriptor)
}

private let tlsContextCallback: curl_ssl_ctx_callback = { _, tlsContext, context in
    guard let context = unsafe context, let tlsContext = unsafe tlsContext,
        let transfer = unsafe TransferHandle.transfer(of: context)
    else {
        return CURLE_ABORTED_BY_CALLBACK
    }
    return unsafe transfer.prepareHandshake(tlsContext) ? CURLE_OK : CURLE_ABORTED_BY_CALLBACK
}

private let readyCallback: curl_prereq_callback = { context, remoteAddress, localAddress, remotePort, localPort in
    guard let context = unsafe context, let transfer = unsafe TransferHandle.transfer(of: context) else {
        return CURL_PREREQFUNC_ABORT
    }
    unsafe transfer.note(
        remote: remoteAddress.flatMap { unsafe IPAddress(text: $0) }, remotePort,
        local: unsafe localAddress.flatMap { unsafe IPAddress(text: $0) }, localPort)
    return transfer.connectionReady() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

private let debugCallback: curl_debug_callback = { _, kind, bytes, count, context in
    guard kind == CURLINFO_TEXT, let context = unsafe context, let bytes = unsafe bytes,
        let transfer = unsafe TransferHandle.transfer(of: context)
    else { return 0 }
    let text = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    transfer.repetition.note(unsafe text.assumingMemoryBound(to: UInt8.self).span)
    return 0
}
