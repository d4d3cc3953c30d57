import EventLoop

/// The threads that serve. They stand behind the watcher in the queue for a processor, however many ask.
enum ServerThreads {
    /// A loop for requests to be answered on.
    static func loop() throws -> EventLoop {
        let loop = try EventLoop(name: "netwatch-http")
        loop.schedule(after: .zero) { ThreadScheduling.goLast() }
        return loop
    }
}
