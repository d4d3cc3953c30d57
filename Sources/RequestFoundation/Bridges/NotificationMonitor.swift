import Dispatch
public import Foundation
public import RequestCore
import Synchronization

/// Posts what happens to the tasks of a session as AFNetworking's notifications; their object is the
/// ``RequestCore/TaskID``. Give it to a session's `monitors`.
public final class NotificationMonitor: EventMonitor {
    private let center: NotificationCenter
    private let queue: DispatchQueue
    /// What is known of the tasks that run, as the notification of their end will tell it.
    private let known = Mutex<[TaskID: [String: any Sendable]]>([:])

    /// - Parameter queue: Where notifications are posted; nil for a serial queue of its own, never the main one.
    public init(center: NotificationCenter = .default, queue: DispatchQueue? = nil) {
        self.center = center
        self.queue = queue ?? DispatchQueue(label: "netwatch.notifications")
    }

    public func observe(_ event: TaskEvent) {
        switch event.kind {
        case .resumed: begin(event.task)
        case .suspended: post(.networkingTaskDidSuspend, event.task)
        case .measured(let metrics): note(event.task, [NetworkingNotificationKey.metrics: metrics])
        case .answered(let response): noteBody(of: response, event.task)
        case .saved(let path): complete(event.task, at: URL(filePath: "\(path)"))
        case .serialized(let answer): note(event.task, answer.userInfo)
        case .completed(let error): complete(event.task, error)
        case .requested, .responded, .sent, .received: break
        }
    }

    public func observe(invalidationOf session: Session) {
        post(.networkingSessionDidInvalidate, session)
    }

    /// Of how many tasks it keeps something.
    package var knownCount: Int { known.withLock { $0.count } }

    private func begin(_ task: TaskID) {
        known.withLock { if $0[task] == nil { $0[task] = [:] } }
        post(.networkingTaskDidResume, task)
    }

    // MARK: The end of a task

    /// Keeps more of a task that runs. What is told after its end would stay for ever.
    private func note(_ task: TaskID, _ more: [String: any Sendable]) {
        _ = known.withLock { $0[task]?.merge(more) { $1 } }
    }

    private func noteBody(of response: Response, _ task: TaskID) {
        guard !response.body.isEmpty else { return }
        note(task, [NetworkingNotificationKey.responseData: response.body])
    }

    private func complete(_ task: TaskID, at file: URL) {
        note(task, [NetworkingNotificationKey.assetPath: file, NetworkingNotificationKey.serializedResponse: file])
        post(.networkingDownloadDidMoveFile, task)
    }

    private func complete(_ task: TaskID, _ error: RequestError?) {
        var userInfo = known.withLock { $0.removeValue(forKey: task) } ?? [:]
        if let error { userInfo[NetworkingNotificationKey.error] = error }
        if case .fileUnwritable? = error?.reason {
            post(.networkingDownloadDidFailToMoveFile, task, userInfo)
        }
        post(.networkingTaskDidComplete, task, userInfo)
    }

    private func post(
        _ name: Notification.Name, _ object: any Sendable, _ userInfo: [String: any Sendable] = [:]
    ) {
        queue.async { [center] in center.post(name: name, object: object, userInfo: userInfo) }
    }
}

extension SerializedAnswer {
    fileprivate var userInfo: [String: any Sendable] {
        var userInfo: [String: any Sendable] = [NetworkingNotificationKey.responseSerializer: serializer]
        userInfo[NetworkingNotificationKey.serializedResponse] = value
        userInfo[NetworkingNotificationKey.error] = error
        return userInfo
    }
}
