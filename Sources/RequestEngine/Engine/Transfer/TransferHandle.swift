import CCurl

/// A handle of libcurl's for one transfer at a time.
final class TransferHandle: EasyHandle {
    /// The transfer it carries out, which its session keeps alive; nil between two.
    unowned var transfer: Transfer?
    /// What it is set to, where the next transfer may find it so; nil where it has to be reset.
    var setup: HandleSetup?
    /// Whether a field `Host` was ever set: libcurl goes on to choose cookies by that name, after a reset, too (lib/http.c,
    /// Curl_http_host; lib/easy.c, curl_easy_reset). Without another one they would be sent to any host.
    var hasNamedHost = false
    /// The URL it is set to.
    private var url: String?

    /// The transfer of a handle that libcurl names.
    static func transfer(of context: UnsafeMutableRawPointer) -> Transfer? {
        unsafe Unmanaged<TransferHandle>.fromOpaque(context).takeUnretainedValue().transfer
    }

    override func reset() -> Bool {
        setup = nil
        url = nil
        return super.reset() && !hasNamedHost
    }

    /// Makes what libcurl reports go to a transfer, and leads it to a URL.
    func prepare(for transfer: Transfer, url: String) throws(RequestError) {
        forgetExplanation()
        self.transfer = transfer
        guard url != self.url else { return }
        try set(CURLOPT_URL, url)
        self.url = url
    }

    /// How long it may take to connect, from the start; nil for no limit, which libcurl does not know.
    func setConnectTimeOut(_ limit: Duration?) throws(RequestError) {
        try set(CURLOPT_CONNECTTIMEOUT_MS, limit.milliseconds ?? Int(Int32.max))
    }
}

extension Duration? {
    /// Whole milliseconds, at least one, which is libcurl's finest time-out.
    var milliseconds: Int? {
        guard let (seconds, attoseconds) = self?.components else { return nil }
        let whole = min(max(seconds, 0), Int64(Int32.max) / 1000 - 1)
        return Int(max(1, whole * 1000 + attoseconds / 1_000_000_000_000_000))
    }
}
