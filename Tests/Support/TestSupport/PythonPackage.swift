import Foundation
import Glibc

/// A package of PyPI's that a test needs, where it is installed: Debian has it not, so most machines do not have it either.
///
/// `NETWATCH_PYTHON` names the interpreter of an environment that has it: `python3 -m venv E && E/bin/pip install rotel`.
public struct PythonPackage: Sendable {
    /// The interpreter that can import it.
    public let interpreter: String

    public init?(_ module: String) {
        let named = ProcessInfo.processInfo.environment["NETWATCH_PYTHON"]
        let candidates = [named, "/usr/bin/python3"].compactMap { $0 }
        let found = candidates.first { (try? Command.run([$0, "-c", "import \(module)"])) != nil }
        guard let found else { return nil }
        interpreter = found
    }

    /// Whether it is installed.
    public static func isInstalled(_ module: String) -> Bool { PythonPackage(module) != nil }

    /// A file beside the package's own.
    public func file(_ name: String, of module: String) throws -> String {
        let folder = try Command.run([interpreter, "-c", "import \(module); print(\(module).__path__[0])"])
        return folder.trimmingCharacters(in: .whitespacesAndNewlines) + "/" + name
    }

    /// A program that the environment has beside its interpreter.
    public func program(_ name: String) -> String {
        URL(filePath: interpreter).deletingLastPathComponent().appending(path: name).path
    }
}
