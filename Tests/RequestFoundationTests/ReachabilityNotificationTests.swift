import Foundation
import Reachability
import RequestFoundation
import TestSupport
import Testing

@Suite("The notification of reachability", .timeLimit(.minutes(1)))
struct ReachabilityNotificationTests {
    @Test("each new status is posted under AFNetworking's name, with its number")
    func posted() async throws {
        let center = NotificationCenter()
        let (statuses, continuation) = AsyncStream<Int?>.makeStream()
        let token = center.addObserver(forName: .networkingReachabilityDidChange, object: nil, queue: nil) {
            #expect(!Thread.isMainThread)
            let number = $0.userInfo?[NetworkingNotificationKey.reachabilityStatus] as? NSNumber
            continuation.yield(number?.intValue)
        }
        defer { center.removeObserver(token) }
        let manager = NetworkReachabilityManager()
        let observer = manager.postNotifications(center: center)
        try manager.startMonitoring()
        var reader = statuses.makeAsyncIterator()
        #expect(await reader.next() == manager.networkReachabilityStatus.rawValue)
        manager.stopMonitoring()
        observer.cancel()
        #expect(
            Notification.Name.networkingReachabilityDidChange.rawValue == "com.alamofire.networking.reachability.change"
        )
    }

    @Test("an XML error says what it says to Foundation, too")
    func localized() {
        #expect((XML.Failure.empty as any Error).localizedDescription == XML.Failure.empty.description)
    }
}
