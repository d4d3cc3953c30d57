public import EventLoop

/// The loop that sessions live on, by a name that no other package has: SwiftNIO has an `EventLoop`, too.
public typealias NetworkLoop = EventLoop
