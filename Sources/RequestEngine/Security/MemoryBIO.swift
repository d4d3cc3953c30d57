internal import COpenSSL

/// Owns one of OpenSSL's memory buffers, which its readers read from and its printers print to.
@safe
struct MemoryBIO: ~Copyable {
    private let pointer: OpaquePointer

    /// A buffer that holds a copy of some bytes.
    init(_ bytes: [UInt8] = []) throws(SecurityError) {
        guard let pointer = unsafe BIO_new(BIO_s_mem()) else {
            throw .library(call: "BIO_new", reason: latestOpenSSLError())
        }
        var written = 0
        guard unsafe bytes.isEmpty || BIO_write_ex(pointer, bytes, bytes.count, &written) == 1 else {
            unsafe BIO_free(pointer)
            throw .library(call: "BIO_write_ex", reason: latestOpenSSLError())
        }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe BIO_free(pointer)
    }

    /// Lends the buffer for the time of a call.
    func withPointer<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(pointer)
    }

    /// What has been printed to the buffer and not been read from it.
    var text: String {
        var bytes: UnsafeMutablePointer<CChar>?
        let count = unsafe netwatch_bio_memory(pointer, &bytes)
        return unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
