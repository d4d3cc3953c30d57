/// Handles that wait for their next transfer, the one used last at the end.
struct SpareHandles {
    private var handles: [EasyHandle] = []
    private static let limit = 32

    /// Takes a handle: one that is set up as asked for, or else any.
    mutating func take(for setup: HandleSetup) -> EasyHandle? {
        guard let index = handles.lastIndex(where: { $0.setup == setup }) else { return handles.popLast() }
        return handles.remove(at: index)
    }

    /// Keeps a handle after a transfer. After one that has failed, nothing that it is set to is relied on.
    mutating func keep(_ handle: EasyHandle, isClean: Bool) {
        handle.transfer = nil
        guard handles.count < Self.limit else { return }
        if !isClean { handle.reset() }
        handles.append(handle)
    }
}
