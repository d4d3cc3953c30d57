import EventLoop
import Glibc
import Netwatch

/// The version as C text that lives as long as the process.
enum LibraryVersion {
    static var text: UnsafePointer<CChar>? {
        let address = storage.withLock { address in
            if address == nil { address = unsafe strdup(NetwatchVersion.current).map { UInt(bitPattern: $0) } }
            return address
        }
        return unsafe address.flatMap { unsafe UnsafePointer(bitPattern: $0) }
    }

    private static let storage = ProcessMutex<UInt?>(nil)
}
