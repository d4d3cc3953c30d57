/// How the program ends. Below 64 the status tells about the network, from 64 on about the program itself, in the
/// words of `sysexits.h`.
package enum ExitStatus: Int32, Hashable, Sendable, CaseIterable {
    case success = 0
    case degraded = 3
    case noPath = 4
    case portal = 5
    case undecided = 6
    case requestFailed = 7
    case usage = 64
    case badData = 65
    case noInput = 66
    case unavailable = 69
    case software = 70
    case systemError = 71
    case outputError = 74
    case noPermission = 77
    case misconfigured = 78

    /// What the manual says about it.
    package var meaning: String {
        switch self {
        case .success: "What was asked for holds; or watching ended by a signal or its reader."
        case .degraded: "A path, and not what was asked for: local, limited, or another medium."
        case .noPath: "There is no path out of this host."
        case .portal: "A captive portal answers in the place of the targets."
        case .undecided: "Nothing could be said: the time was over, or this host may not ask."
        case .requestFailed: "netwatch get: no answer came, or one with another status than 2xx."
        case .usage: "The command line is wrong: an unknown option, a bad URL, a bad address."
        case .badData: "netwatch replay: the file is no recording, is damaged, or is cut off."
        case .noInput: "A file that was named cannot be read: configuration, CA file, recording."
        case .unavailable: "No service answers, or the address to listen on is taken or not here."
        case .software: "An error inside the program; please report it."
        case .systemError: "The kernel refused what is needed, as netlink sockets in a container."
        case .outputError: "Standard output, or the file to record into, cannot be written."
        case .noPermission: "The port to listen on needs a privilege."
        case .misconfigured: "The configuration file says something that cannot be used."
        }
    }
}
