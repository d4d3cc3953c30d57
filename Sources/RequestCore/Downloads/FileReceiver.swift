/// Writes a body into a download's file.
final class FileReceiver: BodyReceiver {
    private let file: PartialFile
    private(set) var offset: Int64 = 0

    init(_ file: PartialFile) {
        self.file = file
    }

    func begin(_ head: ResponseHead, expecting count: Int) -> RequestError.Reason? {
        do throws(RequestError) {
            try file.begin(head)
            offset = file.offset
            return nil
        } catch {
            return error.reason
        }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> BodyDisposition {
        do throws(RequestError) {
            try file.write(bytes)
            return .taken
        } catch {
            return .refused(error.reason)
        }
    }

    func finish() -> RequestError.Reason? {
        do throws(RequestError) {
            try file.finish()
            return nil
        } catch {
            return error.reason
        }
    }
}
