public import Foundation

/// The names are AFNetworking's.
extension Notification.Name {
    /// A task was started or goes on.
    public static let networkingTaskDidResume = Notification.Name("com.alamofire.networking.task.resume")
    /// A task was suspended.
    public static let networkingTaskDidSuspend = Notification.Name("com.alamofire.networking.task.suspend")
    /// A task is over. The keys of ``NetworkingNotificationKey`` tell how.
    public static let networkingTaskDidComplete = Notification.Name("com.alamofire.networking.task.complete")
    /// A session that was invalidated has no task left. The object is the ``RequestCore/Session``.
    public static let networkingSessionDidInvalidate = Notification.Name(
        "com.alamofire.networking.session.invalidate")
    /// The file of a download is in its place.
    public static let networkingDownloadDidMoveFile = Notification.Name(
        "com.alamofire.networking.session.download.file-manager-succeed")
    /// The file of a download could not be put in its place.
    public static let networkingDownloadDidFailToMoveFile = Notification.Name(
        "com.alamofire.networking.session.download.file-manager-error")
}

/// Keys of a notification's `userInfo`. They are AFNetworking's.
public enum NetworkingNotificationKey {
    /// The error of a task that failed: a ``RequestCore/RequestError``, or the
    /// ``RequestCore/ResponseSerializationError`` of an answer that is not acceptable.
    public static let error = "com.alamofire.networking.task.complete.error"
    /// The serializer that the answer was read with, where it was.
    public static let responseSerializer = "com.alamofire.networking.task.complete.responseserializer"
    /// The value that was made of the answer; of a download the `URL` of its file.
    public static let serializedResponse = "com.alamofire.networking.task.complete.serializedresponse"
    /// The `URL` of a download's file.
    public static let assetPath = "com.alamofire.networking.task.complete.assetpath"
    /// The `Data` of the answer's body, where it is in memory.
    public static let responseData = "com.alamofire.networking.complete.finish.responsedata"
    /// The ``RequestCore/RequestMetrics`` of the task's last request.
    public static let metrics = "com.alamofire.networking.complete.sessiontaskmetrics"
}
