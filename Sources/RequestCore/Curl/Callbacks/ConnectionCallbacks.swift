import CCurl
import EventLoop

/// The stages of a connection, each told at the moment it is reached: a socket is opened, the handshake begins, the
/// request may go out.
extension Transfer {
    func installCallbacks() throws(RequestError) {
        try installBodyCallbacks()
        try installHeaderCallback()
        try easy.check(
            netwatch_easy_setopt_open_socket_callback(easy.handle, CURLOPT_OPENSOCKETFUNCTION, openSocketCallback))
        try easy.set(CURLOPT_OPENSOCKETDATA, context)
        try easy.check(
            netwatch_easy_setopt_tls_context_callback(easy.handle, CURLOPT_SSL_CTX_FUNCTION, tlsContextCallback))
        try easy.set(CURLOPT_SSL_CTX_DATA, context)
        try easy.check(netwatch_easy_setopt_prereq_callback(easy.handle, CURLOPT_PREREQFUNCTION, readyCallback))
        try easy.set(CURLOPT_PREREQDATA, context)
    }

    /// The last step before the request is sent; false where it must not be.
    fileprivate func connectionReady() -> Bool {
        clock.connectionReady()
        lastActivity = .now
        metrics.remoteAddress = easy.address(CURLINFO_PRIMARY_IP)
        metrics.remotePort = easy.integer(CURLINFO_PRIMARY_PORT)
        metrics.localAddress = easy.address(CURLINFO_LOCAL_IP)
        metrics.localPort = easy.integer(CURLINFO_LOCAL_PORT)
        guard settings.isSecure else { return true }
        collectTLSFacts()
        guard isVerified else {
            refusal = .tls(host: settings.host, "the security policy was not asked about this connection")
            return false
        }
        return true
    }
}

private let openSocketCallback: curl_opensocket_callback = { context, _, address in
    guard let context, let address else { return CURL_SOCKET_BAD }
    return Transfer.from(context).openSocket(address)
}

private let tlsContextCallback: curl_ssl_ctx_callback = { _, tlsContext, context in
    guard let context, let tlsContext else { return CURLE_ABORTED_BY_CALLBACK }
    return Transfer.from(context).prepareHandshake(tlsContext) ? CURLE_OK : CURLE_ABORTED_BY_CALLBACK
}

private let readyCallback: curl_prereq_callback = { context, _, _, _, _ in
    guard let context else { return CURL_PREREQFUNC_ABORT }
    return Transfer.from(context).connectionReady() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}
