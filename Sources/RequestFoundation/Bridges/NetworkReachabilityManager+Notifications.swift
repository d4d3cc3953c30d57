import Dispatch
public import Foundation
public import Reachability

extension Notification.Name {
    /// The reachability has changed. ``NetworkingNotificationKey/reachabilityStatus`` tells to what. The name is
    /// AFNetworking's.
    public static let networkingReachabilityDidChange = Notification.Name(
        "com.alamofire.networking.reachability.change")
}

extension NetworkingNotificationKey {
    /// The new status as an `NSNumber`: the raw value of a ``Reachability/NetworkReachabilityStatus``.
    public static let reachabilityStatus = "AFNetworkingReachabilityNotificationStatusItem"
}

extension NetworkReachabilityManager {
    /// Posts each new status as a notification from now on, for as long as the manager lives.
    ///
    /// - Parameters:
    ///   - queue: Where notifications are posted; nil for a serial queue of its own, never the main one.
    /// - Returns: What ends it: ``Reachability/Subscription/cancel()``.
    @discardableResult
    public func postNotifications(
        center: NotificationCenter = .default, queue: DispatchQueue? = nil
    ) -> Subscription {
        let queue = queue ?? DispatchQueue(label: "netwatch.reachability.notifications")
        let deliver: Delivery = { handler in queue.async(execute: handler) }
        return onStatus(deliver: deliver) { status in
            let userInfo = [NetworkingNotificationKey.reachabilityStatus: NSNumber(value: status.rawValue)]
            center.post(name: .networkingReachabilityDidChange, object: nil, userInfo: userInfo)
        }
    }
}
