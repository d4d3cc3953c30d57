import Connectivity
import Netwatch

extension EventInbox {
    /// The first event: while a run begins, a moment passes before there is one. Only by it can be told what a reader that comes
    /// back has missed.
    ///
    /// - Parameter bell: Rings where something may have come, and ends with the reader.
    /// - Returns: Nil where the monitor stops, or the bell ends, before there is one.
    func first(_ bell: AsyncStream<Void>) async -> SharedEvent? {
        if let event = take() { return event }
        for await _ in bell {
            if let event = take() { return event }
            guard !isOver else { return nil }
        }
        return nil
    }
}
