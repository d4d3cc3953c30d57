/// A multipart body, as a transfer reads it.
final class MultipartSource: BodySource {
    let count: Int64?
    private var body: MultipartBody
    /// The most bytes at once; libcurl sees to how many a second.
    private let burst: Int

    init(_ form: MultipartFormData) throws(RequestError) {
        do {
            body = try form.makeBody()
        } catch {
            throw RequestError(.invalidBody(error))
        }
        count = body.contentLength
        burst = form.throttle?.burst ?? .max
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodySupply {
        do {
            let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(burst))
            let count = try unsafe body.read(into: piece)
            return count == 0 ? .end : .bytes(count)
        } catch {
            return .failed(.invalidBody(error))
        }
    }

    /// Opens the parts again. Only the beginning is gone to: libcurl asks for nothing else.
    func seek(to offset: Int64) -> Bool {
        guard offset == 0, let again = try? body.reopened() else { return false }
        body = again
        return true
    }
}
