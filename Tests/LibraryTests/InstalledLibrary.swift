import Foundation
import SystemPackage
import TestSupport

/// The library installed below a folder of its own.
struct InstalledLibrary {
    private let temporary: TemporaryFolder
    var folder: String { temporary.path.string }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    /// Where the build put the test program, and the library beside it.
    private static let buildFolder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path

    static var isBuilt: Bool { FileManager.default.fileExists(atPath: buildFolder + "/libNetwatchC.so") }

    init() throws {
        temporary = try TemporaryFolder()
        try Command.run([
            "env", "PREFIX=\(temporary.path.string)", Self.root + "/Scripts/install", Self.buildFolder, "library",
        ])
    }

    var path: String { folder + "/lib/libnetwatch.so" }

    func file(_ name: String) -> String { Self.root + "/" + name }

    /// Builds a C program against the installed library as its users would, with every warning an error.
    func compile(_ source: String, _ options: String...) throws -> String {
        let program = folder + "/" + URL(fileURLWithPath: source).deletingPathExtension().lastPathComponent
        try Command.run([
            "sh", "-c",
            """
            PKG_CONFIG_PATH='\(folder)/lib/pkgconfig' &&  export PKG_CONFIG_PATH &&
            cc -std=c11 -D_DEFAULT_SOURCE -Wall -Wextra -Werror '\(file(source))' -o '\(program)' \
                $(pkg-config --cflags --libs netwatch) \(options.joined(separator: " ")) -Wl,-rpath,'\(folder)/lib'
            """,
        ])
        return program
    }
}
