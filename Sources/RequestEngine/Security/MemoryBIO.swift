internal import COpenSSL

/// Owns one of OpenSSL's memory buffers, which its readers read from and its printers print to.
struct MemoryBIO: ~Copyable {
    private let pointer: OpaquePointer

    /// A buffer that holds a copy of some bytes.
    init(_ bytes: [UInt8] = []) throws(SecurityError) {
        guard let pointer = BIO_new(BIO_s_mem()) else {
            throw .library(call: "BIO_new", reason: latestOpenSSLError())
        }
        var written = 0
        guard bytes.isEmpty || BIO_write_ex(pointer, bytes, bytes.count, &written) == 1 else {
            BIO_free(pointer)
            throw .library(call: "BIO_write_ex", reason: latestOpenSSLError())
        }
        self.pointer = pointer
    }

    deinit {
        BIO_free(pointer)
    }

    /// Lends the buffer for the time of a call.
    func withPointer<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(pointer)
    }

    /// What has been printed to the buffer and not been read from it.
    var text: String {
        var bytes: UnsafeMutablePointer<CChar>?
        let count = netwatch_bio_memory(pointer, &bytes)
        return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
