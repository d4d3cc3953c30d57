public import Foundation
public import RequestCore

extension SessionTask {
    /// The progress of the answer's body as Foundation's own. Its total is -1 until it is known; cancelling, pausing and
    /// resuming it does so to the task, which it does not keep: a task that is to be started by way of it has to be held too.
    public func foundationDownloadProgress() -> Progress {
        progress(following: downloadProgress)
    }

    /// The progress of the request's body as Foundation's own, in the same way.
    public func foundationUploadProgress() -> Progress {
        progress(following: uploadProgress)
    }

    private func progress(following stream: AsyncStream<TransferProgress>) -> Progress {
        let progress = Progress(totalUnitCount: -1)
        progress.cancellationHandler = { [weak self] in self?.cancel() }
        progress.pausingHandler = { [weak self] in self?.suspend() }
        progress.resumingHandler = { [weak self] in self?.resume() }
        // It ends with the task, which may never be started: so it must not keep it.
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
