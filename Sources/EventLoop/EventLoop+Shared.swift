extension EventLoop {
    private static let sharedLoop = ProcessMutex<EventLoop?>(nil)

    /// The loop of all sessions and monitors that name none: made when it is first asked for, and there until the program
    /// ends.
    ///
    /// What runs on it shares one thread, so that none of it may wait for anything.
    ///
    /// - Throws: Why its thread or descriptors could not be had; the next call tries again.
    public static func shared() throws(EventLoopError) -> EventLoop {
        let result: Result<EventLoop, EventLoopError> = sharedLoop.withLock { shared in
            if let shared { return .success(shared) }
            do throws(EventLoopError) {
                let loop = try EventLoop(name: "netwatch-shared")
                shared = loop
                return .success(loop)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
