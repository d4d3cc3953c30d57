import Glibc
import NetworkAddress

/// How the program serves what it knows.
package struct ServiceConfiguration: Hashable, Sendable {
    /// Where it listens for HTTP.
    package var listen = [ListenAddress(host: .v4(IPv4Address(rawValue: 0x7F00_0001)), port: 19115)]
    package var socket = Socket.usual
    /// A file with the token that requests over TCP have to carry (`Authorization: Bearer TOKEN`); nil for none.
    package var tokenFile: String?
    /// Whether other hosts may ask without a token.
    package var openToAll = false
    /// Names that this host is asked by, beside its own.
    package var hosts: [String] = []
    /// How many connections are kept at most; fewer where there are few descriptors.
    package var maximumConnections = 256
    /// How many connections may follow the events at one time, beside the others.
    package var maximumReaders = 64
    /// What `/probe` may be asked for beside its own modules, by name.
    package var modules: [String: ProbeModule] = [:]
    /// Whether `/metrics` has a histogram of the durations of each target's probes.
    package var targetHistograms = false
    package var history = HistorySettings()

    /// What this host is called among others, also in topics; nil for its own name, and its id in topics.
    package var name: String?
    /// What this host's events and metrics carry: `site`, `provider`, `role`.
    package var labels: [String: String] = [:]
    /// Where events go over MQTT; nil for nowhere.
    package var mqtt: MQTTExport?
    /// Where metrics are sent, in place of a scrape that cannot reach this host.
    package var push: [PushExport] = []
    /// The programs that are run for events.
    package var hooks: [HookSettings] = []
    /// Where events are posted to.
    package var webhooks: [WebhookSettings] = []

    /// The Unix socket that the program's own commands ask.
    package enum Socket: Hashable, Sendable {
        /// ``usualPath``, where its folder is there or can be made.
        case usual
        case path(String)
        case none

        /// Where the program's own commands look for the service.
        package static let usualPath = usualFolder + "/http.sock"
        private static let usualFolder = "/run/netwatch"

        /// The usual path, with its folder made if it was missing; nil where this user may not.
        static func preparedUsualPath() -> String? {
            if unsafe mkdir(usualFolder, 0o755) != 0, errno != EEXIST { return nil }
            return unsafe access(usualFolder, W_OK) == 0 ? usualPath : nil
        }
    }

    /// Whether, where and how long the past is kept.
    package struct HistorySettings: Hashable, Sendable {
        package var isKept = true
        /// Its file; nil for the usual one, where its folder is there.
        package var path: String?
        /// How many days back it goes.
        package var days = 90
        /// How large the file may become, in 2^20 bytes.
        package var megabytes = 100

        package init() {}
    }

    package init() {}

    /// The first address that other hosts reach although neither a token nor a word of the configuration's allows it; nil
    /// where there is none.
    package var openAddress: ListenAddress? {
        openToAll || tokenFile != nil ? nil : listen.first { !$0.host.isLoopback }
    }
}
