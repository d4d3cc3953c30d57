/// Names of files that are not whole yet, made of the name that they are to have.
package enum TemporaryName {
    /// The longest name that a file may have (NAME_MAX, limits.h).
    private static let mostBytes = 255

    /// A name between a beginning and an ending, of which the end is left out where they would be too long together.
    package static func make(_ beginning: String, _ name: String, _ ending: String) -> String {
        let room = mostBytes - beginning.utf8.count - ending.utf8.count
        var name = name
        while name.utf8.count > room, !name.isEmpty { name.removeLast() }
        return beginning + name + ending
    }
}
