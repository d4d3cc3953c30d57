package import Connectivity
import Reachability

/// Events as single lines for people, without colour: what a pipe or a log gets.
package enum PlainLine {
    /// `08:41:03  ethernet via eth0, connectivity full  IPv4 via 192.0.2.1 dev eth0  the default route on eth0 was set`
    package static func text(of event: Event) -> String {
        "\(TimeText.timeOfDay(event.timeNanoseconds))  \(DisplayText.safe(event.description))"
    }
}
