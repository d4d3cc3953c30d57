/// Undoes the codings of one body as it comes in, and tells whether it has come to its end.
///
/// libcurl would unpack it, too, but takes the half of a compressed body for the whole.
final class BodyDecoding {
    private let last: Stage
    /// What is unpacked and not taken yet.
    private var pending: [UInt8] = []
    /// How much of the piece that is offered again after a pause was read before it.
    private var readBefore = 0
    private var hasBegun = false
    /// The most codings of one body, as many as libcurl would undo.
    private static let mostCodings = 5

    /// The decoding for an answer; nil where there is nothing to undo. From a coding on that is not known the body is left as it
    /// is: servers name many that are none, such as `utf-8` or `aws-chunked`, and others are the caller's to undo.
    init?(_ headers: HeaderFields) throws(ContentDecodingError) {
        let names = (headers["Content-Encoding"] ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
        guard names.count <= Self.mostCodings else { throw ContentDecodingError("it has \(names.count) codings") }
        var stage: Stage?
        // The last one was applied last, and is undone first.
        for name in names.reversed() {
            guard let decoder = ContentCoding(name: name)?.makeDecoder() else { break }
            stage = Stage(decoder, after: stage)
        }
        guard let stage else { return nil }
        last = stage
    }

    /// Whether all that the codings promised has come. A body without a byte is whole.
    var isWhole: Bool { !hasBegun || (pending.isEmpty && last.isAtEnd) }

    /// Unpacks a piece and hands on what comes of it. After a pause the same piece is to be offered again.
    func receive(_ bytes: Span<UInt8>, _ take: (Span<UInt8>) -> BodyDisposition) -> BodyDisposition {
        hasBegun = hasBegun || !bytes.isEmpty
        var read = readBefore
        repeat {
            if !pending.isEmpty {
                let disposition = take(pending.span)
                if case .paused = disposition { readBefore = read }
                guard case .taken = disposition else { return disposition }
                pending.removeAll(keepingCapacity: true)
            }
            do throws(ContentDecodingError) {
                try pending.append(addingCapacity: Stage.size) { (output) throws(ContentDecodingError) in
                    read += try last.read(bytes.extracting(droppingFirst: read), into: &output)
                }
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
        /// What the earlier stage has given, where there is one, and how much of that has been read.
        private var input: [UInt8] = []
        private var position = 0
        /// How much was read of the earlier stage, and how much given.
        private var (readCount, givenCount) = (0, 0)
        /// How much more than twice what it gives a coding may read of another: packing makes little larger, and a server that
        /// makes much of nothing would keep the loop for hours, where no limit of the body's counts anything.
        private static let mostWithoutGain = 1 << 20

        init(_ decoder: any ContentDecoder, after earlier: Stage?) {
            self.decoder = decoder
            self.earlier = earlier
        }

        var isAtEnd: Bool { decoder.isAtEnd && position == input.count && earlier?.isAtEnd ?? true }

        /// Unpacks some of the piece; nothing once all of it has been read and handed on.
        ///
        /// - Returns: How much of the piece it has read.
        func read(_ piece: Span<UInt8>, into output: inout OutputSpan<UInt8>) throws(ContentDecodingError) -> Int {
            guard let earlier else { return try decoder.decode(piece, into: &output) }
            var read = 0
            while true {
                try decodeInput(into: &output)
                givenCount += output.count
                guard output.isEmpty else { return read }
                input.removeAll(keepingCapacity: true)
                position = 0
                try input.append(addingCapacity: Self.size) { (more) throws(ContentDecodingError) in
                    read += try earlier.read(piece.extracting(droppingFirst: read), into: &more)
                }
                guard !input.isEmpty else { return read }
                readCount += input.count
                guard readCount <= Self.mostWithoutGain + 2 * givenCount else {
                    throw ContentDecodingError("it unpacks to next to nothing")
                }
            }
        }

        private func decodeInput(into output: inout OutputSpan<UInt8>) throws(ContentDecodingError) {
            // A constant: a variable of a class might change under the span.
            let input = input
            position += try decoder.decode(input.span.extracting(droppingFirst: position), into: &output)
        }
    }
}
