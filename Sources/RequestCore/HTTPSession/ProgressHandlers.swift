public import RequestEngine

/// What is called as a body goes out or comes in, on the session's loop: it must not block.
public struct ProgressHandlers: Sendable {
    public var upload: (@Sendable (TransferProgress) -> Void)?
    public var download: (@Sendable (TransferProgress) -> Void)?

    public init(
        upload: (@Sendable (TransferProgress) -> Void)? = nil, download: (@Sendable (TransferProgress) -> Void)? = nil
    ) {
        self.upload = upload
        self.download = download
    }

    var monitors: [any EventMonitor] {
        upload == nil && download == nil ? [] : [Monitor(handlers: self)]
    }

    private struct Monitor: EventMonitor {
        let handlers: ProgressHandlers

        func observe(_ event: TaskEvent) {
            switch event.kind {
            case .sent(let progress): handlers.upload?(progress)
            case .received(let progress): handlers.download?(progress)
            default: break
            }
        }
    }
}
