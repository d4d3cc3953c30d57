import CCurl

/// A handle of libcurl's for one transfer at a time.
final class TransferHandle: EasyHandle {
    /// The transfer it carries out, which its session keeps alive; nil between two.
    unowned var transfer: Transfer?
    /// What it is set to, where the next transfer may find it so; nil where it has to be reset.
    var setup: HandleSetup?
    /// The URL it is set to.
    private var url: String?

    /// The transfer of a handle that libcurl names.
    static func transfer(of context: UnsafeMutableRawPointer) -> Transfer? {
        unsafe Unmanaged<TransferHandle>.fromOpaque(context).takeUnretainedValue().transfer
    }

    override func reset() -> Bool {
        setup = nil
        url = nil
        return super.reset()
    }

    /// Makes what libcurl reports go to a transfer, and leads it to a URL.
    func prepare(for transfer: Transfer, url: String) throws(RequestError) {
        forgetExplanation()
        self.transfer = transfer
        guard url != self.url else { return }
        try set(CURLOPT_URL, url)
        self.url = url
    }
}
