import Dispatch
public import Foundation
public import RequestCore
import Synchronization

extension Notification.Name {
    /// A task was started or goes on. The names are AFNetworking's.
    public static let networkingTaskDidResume = Notification.Name("com.alamofire.networking.task.resume")
    /// A task was suspended.
    public static let networkingTaskDidSuspend = Notification.Name("com.alamofire.networking.task.suspend")
    /// A task is over.
    public static let networkingTaskDidComplete = Notification.Name("com.alamofire.networking.task.complete")
}

/// Keys of a notification's `userInfo`. They are AFNetworking's.
public enum NetworkingNotificationKey {
    /// The ``RequestCore/RequestError`` of a task that failed.
    public static let error = "com.alamofire.networking.task.complete.error"
    /// The ``RequestCore/RequestMetrics`` of the task's last request.
    public static let metrics = "com.alamofire.networking.complete.sessiontaskmetrics"
}

/// Posts what happens to the tasks of a session as notifications; their object is the ``RequestCore/TaskID``. Give it
/// to a session's `monitors`.
public final class NotificationMonitor: EventMonitor {
    private let center: NotificationCenter
    private let queue: DispatchQueue
    private let metrics = Mutex<[TaskID: RequestMetrics]>([:])

    /// - Parameter queue: Where notifications are posted; nil for a serial queue of its own, never the main one.
    public init(center: NotificationCenter = .default, queue: DispatchQueue? = nil) {
        self.center = center
        self.queue = queue ?? DispatchQueue(label: "netwatch.notifications")
    }

    public func observe(_ event: TaskEvent) {
        switch event.kind {
        case .resumed: post(.networkingTaskDidResume, event.task)
        case .suspended: post(.networkingTaskDidSuspend, event.task)
        case .measured(let measured): metrics.withLock { $0[event.task] = measured }
        case .completed(let error): complete(event.task, error)
        default: break
        }
    }

    private func complete(_ task: TaskID, _ error: RequestError?) {
        var userInfo: [String: any Sendable] = [:]
        userInfo[NetworkingNotificationKey.error] = error
        userInfo[NetworkingNotificationKey.metrics] = metrics.withLock { $0.removeValue(forKey: task) }
        post(.networkingTaskDidComplete, task, userInfo)
    }

    private func post(_ name: Notification.Name, _ task: TaskID, _ userInfo: [String: any Sendable] = [:]) {
        queue.async { [center] in center.post(name: name, object: task, userInfo: userInfo) }
    }
}
