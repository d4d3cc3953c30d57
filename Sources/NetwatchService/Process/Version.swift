import Netwatch

/// The version that the program reports.
package enum Version {
    package static let current = NetwatchVersion.current
}
