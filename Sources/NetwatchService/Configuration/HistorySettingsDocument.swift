import Netwatch

/// The section `service.history`: `{path: /var/lib/netwatch/history.db, days: 90, megabytes: 100}`, each of which may be left
/// out, or `false` for none.
package enum HistorySettingsDocument {
    package enum Keys: String, CodingKey, CaseIterable {
        case path, days, megabytes
    }

    static func settings(
        _ node: DocumentNode, at key: String
    ) throws(ConfigurationError) -> ServiceConfiguration.HistorySettings {
        var settings = ServiceConfiguration.HistorySettings()
        if let flag = node.flag {
            settings.isKept = flag
            return settings
        }
        let values = try DocumentObject<Keys>(
            node, at: key, expected: "false, or an object such as {\"days\": 90, \"megabytes\": 100}")
        settings.path = try values.string(.path, expected: "the path of a file")
        try values.wholeNumber(.days, in: 1...3650).map { settings.days = $0 }
        try values.wholeNumber(.megabytes, in: 1...100_000).map { settings.megabytes = $0 }
        return settings
    }
}
