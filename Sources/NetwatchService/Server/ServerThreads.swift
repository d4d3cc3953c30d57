import EventLoop

/// The threads that serve. They stand behind the watcher in the queue for a processor, however many ask.
enum ServerThreads {
    /// A loop for requests to be answered on.
    static func loop() throws -> EventLoop {
        let loop = try EventLoop(name: "netwatch-http")
        loop.schedule(after: .zero) { goLast() }
        return loop
    }

    /// Puts the current thread behind the others.
    static func goLast() { ThreadScheduling.goLast() }
}
