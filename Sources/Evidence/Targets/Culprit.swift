/// What is at fault: in JSON `blame`.
package enum Culprit: String, Hashable, Sendable, Codable {
    case host = "self"
    case path, uplink, resolver, target
    /// Only one target is watched, and no other host may be asked.
    case unknown
}
