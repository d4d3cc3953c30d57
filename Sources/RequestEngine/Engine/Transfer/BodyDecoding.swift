/// Undoes the codings of one body as it comes in, and tells whether it has come to its end.
///
/// libcurl would unpack it, too, but takes the half of a compressed body for the whole.
final class BodyDecoding {
    private let last: Stage
    private let buffer: UnsafeMutableRawBufferPointer
    /// What is unpacked and not taken yet.
    private var pending: UnsafeRawBufferPointer
    /// How much of the piece that is offered again after a pause was read before it.
    private var readBefore = 0
    private var hasBegun = false
    /// The most codings of one body, as many as libcurl would undo.
    private static let mostCodings = 5

    /// The decoding for an answer; nil where there is nothing to undo.
    init?(_ headers: HeaderFields) throws(ContentDecodingError) {
        let names = (headers["Content-Encoding"] ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
        guard names.count <= Self.mostCodings else { throw ContentDecodingError("it has \(names.count) codings") }
        var stage: Stage?
        // The last one was applied last, and is undone first.
        for name in names.reversed() {
            guard let decoder = ContentCoding(name: name)?.makeDecoder() else {
                throw ContentDecodingError("the coding \(name.prefix(40).debugDescription) is not known")
            }
            stage = Stage(decoder, after: stage)
        }
        guard let stage else { return nil }
        last = stage
        buffer = .allocate(byteCount: Stage.size, alignment: 1)
        pending = UnsafeRawBufferPointer(rebasing: buffer[..<0])
    }

    deinit {
        buffer.deallocate()
    }

    /// Whether all that the codings promised has come. A body without a byte is whole.
    var isWhole: Bool { !hasBegun || (pending.isEmpty && last.isAtEnd) }

    /// Unpacks a piece and hands on what comes of it. After a pause the same piece is to be offered again.
    func receive(
        _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> BodyDisposition
    ) -> BodyDisposition {
        hasBegun = hasBegun || !bytes.isEmpty
        var rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(readBefore))
        repeat {
            if !pending.isEmpty {
                let disposition = take(pending)
                if case .paused = disposition { readBefore = bytes.count - rest.count }
                guard case .taken = disposition else { return disposition }
            }
            do throws(ContentDecodingError) {
                pending = UnsafeRawBufferPointer(rebasing: buffer[..<(try last.read(&rest, into: buffer))])
            } catch {
                return .refused(.malformedContent(error.explanation))
            }
        } while !pending.isEmpty
        readBefore = 0
        return .taken
    }
}

extension BodyDecoding {
    /// One coding, which gets what the one that is undone before it gives.
    private final class Stage {
        static let size = 32 << 10

        private let decoder: any ContentDecoder
        private let earlier: Stage?
        /// What the earlier stage gives, where there is one.
        private let buffer: UnsafeMutableRawBufferPointer
        private var input: UnsafeRawBufferPointer

        init(_ decoder: any ContentDecoder, after earlier: Stage?) {
            self.decoder = decoder
            self.earlier = earlier
            buffer = .allocate(byteCount: earlier == nil ? 0 : Self.size, alignment: 1)
            input = UnsafeRawBufferPointer(rebasing: buffer[..<0])
        }

        deinit {
            buffer.deallocate()
        }

        var isAtEnd: Bool { decoder.isAtEnd && input.isEmpty && earlier?.isAtEnd ?? true }

        /// Unpacks some of the piece; 0 once all of it has been read and handed on.
        func read(
            _ piece: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
        ) throws(ContentDecodingError) -> Int {
            guard let earlier else { return try decoder.decode(&piece, into: output) }
            while true {
                let count = try decoder.decode(&input, into: output)
                if count > 0 { return count }
                let more = try earlier.read(&piece, into: buffer)
                guard more > 0 else { return 0 }
                input = UnsafeRawBufferPointer(rebasing: buffer[..<more])
            }
        }
    }
}
