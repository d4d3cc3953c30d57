/// Handles that wait for their next transfer, the one used last at the end.
struct SpareHandles {
    private var handles: [TransferHandle] = []
    private static let limit = 32

    /// Takes a handle: one that is set up as asked for, or else one that can be.
    mutating func take(for setup: HandleSetup) -> TransferHandle? {
        if let index = handles.lastIndex(where: { $0.setup == setup }) {
            let handle = handles.remove(at: index)
            // The very same from now on, so that next time its identity tells.
            handle.setup = setup
            return handle
        }
        while let handle = handles.popLast() {
            if handle.reset() { return handle }
        }
        return nil
    }

    /// Keeps a handle after a transfer. Not after one that failed: libcurl leaves in it what it did not come to tidy up, a
    /// piece of the body that waited for its reader, for example (lib/multi.c, multi_done).
    mutating func keep(_ handle: TransferHandle, isClean: Bool) {
        handle.transfer = nil
        guard isClean, handles.count < Self.limit else { return }
        handles.append(handle)
    }
}
