/// A multipart body, as a transfer reads it.
final class MultipartSource: BodySource {
    let count: Int64?
    private var body: MultipartBody

    init(_ form: MultipartFormData) throws(RequestError) {
        do {
            body = try form.makeBody()
        } catch {
            throw RequestError(.invalidBody(error))
        }
        count = body.contentLength
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodySupply {
        do {
            let count = try body.read(into: buffer)
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
