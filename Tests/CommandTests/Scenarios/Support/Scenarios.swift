import Foundation
import SystemPackage
import TestSupport
import Testing

/// Situations as they come in the field, a file for each kind: each is made for real, and the program has to tell what is
/// so, whose fault it is, once, soon, and nothing untrue before.
@Suite(
    "Scenarios", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"), .timeLimit(.minutes(2)))
struct Scenarios {}

extension ScenarioWorld {
    /// A target of the world's, in the words of a configuration file.
    struct Target {
        let json: String

        init(_ name: String, _ url: String, _ more: String = "") {
            json = #"{"name": "\#(name)", "url": "\#(url)"\#(more.isEmpty ? "" : ", " + more)}"#
        }

        /// By its name, or by its address.
        static func number(_ number: Int, hasName: Bool = false, path: String = "/") -> Target {
            Target("t\(number)", "http://\(hasName ? "t\(number).test" : ScenarioWorld.address(number))\(path)")
        }

        static func numbers(_ numbers: ClosedRange<Int>, haveNames: Bool = false) -> [Target] {
            numbers.map { number($0, hasName: haveNames) }
        }
    }

    /// Starts the program on the host.
    ///
    /// - Parameters:
    ///   - interval: How often each target is asked, in seconds.
    ///   - timeout: How long each probe may take, in seconds.
    ///   - settings: More keys of the configuration.
    ///   - wrapper: A command that runs it.
    func watch(
        _ targets: [Target], interval: Double = 2, timeout: Double = 1.5, _ settings: String = "",
        by wrapper: String = "",
        title: String = #function
    ) throws -> Story {
        let all = [#""interval": \#(interval), "timeout": \#(timeout)"#] + (settings.isEmpty ? [] : [settings])
        let list = targets.map(\.json).joined(separator: ", ")
        let json = "{\(all.joined(separator: ", ")), \"targets\": [\(list)]}"
        let file = try folder.write(json.utf8, to: "netwatch.json")
        let script = "\(wrapper)\nmount --bind '\(folder.path)/resolv.conf' /etc/resolv.conf && exec \"$@\""
        let run = try ProgramRun(
            ["unshare", "--mount", "sh", "-c", script, "sh", Netwatch.path, "--json", "--config", file.string],
            in: host)
        return Story(run, wire: Wire(host: host), title: title)
    }
}
