public import EventLoop

// Names that no other package has, for a file that imports SwiftNIO beside this module: there `HTTPHeaders`, `HTTPMethod`,
// `HTTPVersion` and `EventLoop` are known, too.

public typealias HeaderFields = HTTPHeaders
public typealias RequestMethod = HTTPMethod
public typealias ProtocolVersion = HTTPVersion
/// The loop that sessions live on.
public typealias NetworkLoop = EventLoop
