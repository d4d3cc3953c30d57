public import CNetwatch
import Glibc
import Netwatch

// The functions of netwatch.h, where each is documented. They only carry values over the border of the two languages.

@c @implementation
public func netwatch_version() -> UnsafePointer<CChar>? {
    LibraryVersion.text
}

@c @implementation
public func netwatch_create(
    _ configuration: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OpaquePointer? {
    do {
        return try Handle(configuration: configuration.map(text)).retained()
    } catch let failure {
        error?.pointee = strdup("\(failure)")
        return nil
    }
}

@c @implementation
public func netwatch_set_callback(
    _ monitor: OpaquePointer?, _ callback: netwatch_callback?, _ context: UnsafeMutableRawPointer?
) {
    Handle.from(monitor)?.setCallback(callback.map { Callback(function: $0, context: context) })
}

@c @implementation
public func netwatch_start(
    _ monitor: OpaquePointer?, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
    do {
        try Handle.from(monitor)?.start()
        return 0
    } catch let failure {
        error?.pointee = strdup("\(failure)")
        return -1
    }
}

@c @implementation
public func netwatch_current(_ monitor: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
    Handle.from(monitor).flatMap { strdup($0.current) }
}

@c @implementation
public func netwatch_check(_ monitor: OpaquePointer?) {
    Handle.from(monitor)?.check()
}

@c @implementation
public func netwatch_stop(_ monitor: OpaquePointer?) {
    Handle.from(monitor)?.stop()
}

@c @implementation
public func netwatch_free(_ monitor: OpaquePointer?) {
    Handle.release(monitor)
}

@c @implementation
public func netwatch_string_free(_ string: UnsafeMutablePointer<CChar>?) {
    free(string)
}

/// What would be put in the place of other bytes would be part of a name without a word.
private func text(_ bytes: UnsafePointer<CChar>) throws(ConfigurationError) -> String {
    guard let text = String(validatingCString: bytes) else {
        throw .unreadable("it is not UTF-8; convert it, with iconv for example")
    }
    return text
}
