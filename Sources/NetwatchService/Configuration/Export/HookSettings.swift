import Glibc

/// A program that is run for events: one of `service.hooks`.
package struct HookSettings: Hashable, Sendable {
    /// The program by its absolute path, and its arguments: no shell reads them.
    package var command: [String]
    /// Which events it is run for, and about which targets.
    var filter = EventFilter(kinds: [], targets: [])
    /// How long it may run.
    package var timeout = Duration.seconds(10)

    package init(command: [String]) {
        self.command = command
    }

    /// What it is called: the last part of the program's path.
    var name: String { "hook-\(command.first?.split(separator: "/").last ?? "")" }

    /// What keeps the program from being run as things are now; nil where nothing does. It may come later: a disk that is not
    /// mounted yet is no reason not to watch.
    var flaw: String? {
        guard let path = command.first else { return nil }
        let reason: String? =
            if unsafe access(path, X_OK) != 0 {
                unsafe String(cString: strerror(errno))
            } else if unsafe access(path + "/.", F_OK) == 0 {
                "it is a folder"
            } else { nil }
        return reason.map { "\(DisplayText.safe(path)) cannot be run: \($0)" }
    }
}
