public import CNetwatch
import EventLoop
import Glibc
import Netwatch

// The functions of netwatch.h, where each is documented. They only carry values over the border of the two languages, on a
// thread that may take locks.

@c @implementation
public func netwatch_version() -> UnsafePointer<CChar>? {
    unsafe ForkedThread.avoid { unsafe LibraryVersion.text }
}

@c @implementation
public func netwatch_create(
    _ configuration: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OpaquePointer? {
    unsafe value(or: error) { try unsafe Handle(configuration: try configuration.map(text)).retained() }
}

@c @implementation
public func netwatch_configure(
    _ monitor: OpaquePointer?, _ configuration: UnsafePointer<CChar>?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
    unsafe status(error) { try unsafe Handle.required(monitor).configure(try configuration.map(text)) }
}

@c @implementation
public func netwatch_set_callback(
    _ monitor: OpaquePointer?, _ callback: netwatch_callback?, _ context: UnsafeMutableRawPointer?
) {
    ForkedThread.avoid {
        unsafe Handle.from(monitor)?.setCallback(callback.map { unsafe Callback(function: $0, context: context) })
    }
}

@c @implementation
public func netwatch_fd(_ monitor: OpaquePointer?) -> CInt {
    ForkedThread.avoid { unsafe (try? Handle.from(monitor)?.events().descriptor) ?? -1 }
}

@c @implementation
public func netwatch_next(_ monitor: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
    unsafe ForkedThread.avoid { unsafe Handle.from(monitor)?.nextEvent().flatMap { unsafe strdup($0) } }
}

@c @implementation
public func netwatch_start(
    _ monitor: OpaquePointer?, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
    unsafe status(error) { try unsafe Handle.required(monitor).start() }
}

@c @implementation
public func netwatch_wait(
    _ monitor: OpaquePointer?, _ condition: UnsafePointer<CChar>?, _ milliseconds: CInt,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
    let limit: Duration? = milliseconds < 0 ? nil : .milliseconds(Int(milliseconds))
    return unsafe value(or: error) {
        try unsafe Handle.required(monitor).wait(for: try condition.map(text) ?? "", timeout: limit) ? 1 : 0
    } ?? -1
}

@c @implementation
public func netwatch_explain(
    _ monitor: OpaquePointer?, _ subject: UnsafePointer<CChar>?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
    unsafe value(or: error) { unsafe strdup(try Handle.required(monitor).explain(try subject.map(text))) } ?? nil
}

@c @implementation
public func netwatch_current(_ monitor: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
    unsafe ForkedThread.avoid { unsafe Handle.from(monitor).flatMap { unsafe strdup($0.current) } }
}

@c @implementation
public func netwatch_check(_ monitor: OpaquePointer?) {
    ForkedThread.avoid { unsafe Handle.from(monitor)?.check() }
}

@c @implementation
public func netwatch_stop(_ monitor: OpaquePointer?) {
    ForkedThread.avoid { unsafe Handle.from(monitor)?.stop() }
}

@c @implementation
public func netwatch_free(_ monitor: OpaquePointer?) {
    ForkedThread.avoid { unsafe Handle.release(monitor) }
}

@c @implementation
public func netwatch_string_free(_ string: UnsafeMutablePointer<CChar>?) {
    unsafe free(string)
}

/// What work comes to; nil where it fails, with a sentence that says why, where the caller wants one.
private func value<Value>(
    or error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ work: () throws -> Value
) -> Value? {
    let result = ForkedThread.avoid { Swift.Result { try work() } }
    switch result {
    case .success(let value): return value
    case .failure(let failure):
        unsafe error?.pointee = strdup("\(failure)")
        return nil
    }
}

/// 0, or -1 where work fails.
private func status(_ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ work: () throws -> Void) -> CInt {
    unsafe value(or: error, work) == nil ? -1 : 0
}

/// What would be put in the place of other bytes would be part of a name without a word.
private func text(_ bytes: UnsafePointer<CChar>) throws(ConfigurationError) -> String {
    guard let text = unsafe String(validatingCString: bytes) else {
        throw .unreadable("it is not UTF-8; convert it, with iconv for example")
    }
    return text
}
