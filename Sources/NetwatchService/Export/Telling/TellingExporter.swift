import Connectivity
import EventLoop

/// A hook or a webhook.
protocol TellingExporter: AnyObject, Sendable {
    var health: ExportHealth { get }
    /// Where its work is done.
    var loop: EventLoop { get }
    /// - Parameter event: What is the case where the run goes on already; nil at its beginning.
    func start(after event: Event?)
    /// Called on the watcher's loop; it must not wait.
    func take(_ event: Event)
    /// Ends it, within some seconds.
    func finish() async
}
