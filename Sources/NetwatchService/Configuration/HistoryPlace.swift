import Glibc
import History

/// Where the history is.
package enum HistoryPlace {
    private static let folder = "/var/lib/netwatch"
    private static let name = "history.db"

    /// Where the program's own commands look for it.
    package static let usual = folder + "/" + name

    /// The file of a service; nil where none is to be kept, or the usual folder is not there: a service that is started by hand
    /// was not asked for a file.
    static func path(_ settings: ServiceConfiguration.HistorySettings) -> String? {
        guard settings.isKept else { return nil }
        if let path = settings.path { return path }
        // systemd's word for what StateDirectory= names; there may be several.
        let folder = Environment.value("STATE_DIRECTORY").map { String($0.prefix { $0 != ":" }) } ?? Self.folder
        return unsafe access(folder, W_OK) == 0 ? folder + "/" + name : nil
    }
}
