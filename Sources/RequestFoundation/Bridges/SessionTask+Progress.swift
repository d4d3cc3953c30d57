public import Foundation
public import RequestCore

extension SessionTask {
    /// The progress of the answer's body as Foundation's own. Its total is -1 until it is known; cancelling, pausing and
    /// resuming it does so to the task.
    public func foundationDownloadProgress() -> Progress {
        progress(following: downloadProgress)
    }

    /// The progress of the request's body as Foundation's own, in the same way.
    public func foundationUploadProgress() -> Progress {
        progress(following: uploadProgress)
    }

    private func progress(following stream: AsyncStream<TransferProgress>) -> Progress {
        let progress = Progress(totalUnitCount: -1)
        progress.cancellationHandler = { self.cancel() }
        progress.pausingHandler = { self.suspend() }
        progress.resumingHandler = { self.resume() }
        Task { for await step in stream { progress.update(to: step) } }
        return progress
    }
}

extension Progress {
    /// The total goes first, or a fraction of 1 would show for a moment.
    fileprivate func update(to step: TransferProgress) {
        totalUnitCount = step.total ?? -1
        completedUnitCount = step.completed
    }
}
